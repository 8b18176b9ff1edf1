import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { blackPng, coloursOf, heldOnItsSide, noiseOf, twoColours } from '../samples/pictures.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

for (const profile of profiles)
  describe(`${profile}: image operations`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile);
    });
    after(() => service.dispose());

    const uploaded = async (name: string, bytes: Uint8Array | string, fields = {}) => {
      const { json } = await service.upload(name, bytes, fields);
      return json.items[0].id as string;
    };
    const ask = (id: string, op: string, body: object = {}, headers = {}, token?: string) =>
      service.call('POST', `/v1/objects/${id}/image/${op}`, {
        body,
        headers,
        ...(token !== undefined && { token }),
      });
    const statusOf = (id: string, task: string, headers = {}) =>
      service.call('GET', `/v1/objects/${id}/image/status/${task}`, { headers });
    const ended = async (id: string, task: string, headers = {}): Promise<Answer['json']> =>
      (
        await eventually(
          () => statusOf(id, task, headers),
          ({ json }) => json.done,
          30_000,
        )
      ).json;
    const done = async (id: string, op: string, body: object): Promise<Answer['json']> => {
      const { json } = await ask(id, op, body);
      return ended(id, json.task_id);
    };
    const bytesOf = async (id: string, query = '') => {
      const response = await fetch(`${service.base}/v1/objects/${id}/content${query}`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      return Buffer.from(await response.arrayBuffer());
    };
    const card = async (id: string) => (await service.call('GET', `/v1/objects/${id}`)).json;
    const png = () => twoColours(60).png().toBuffer();
    const event = async (kind: string) =>
      (await service.call('GET', '/v1/notifications?limit=100')).json.items.filter(
        (item: { kind: string }) => item.kind === kind,
      );

    it('are accepted, run in the background, and create a new version of the same object', async () => {
      const bytes = await png();
      const id = await uploaded('p.png', bytes);
      const before = await service.settled(id);
      expect(before).to.include({ image_editable: true, editor: 'image', version: 1 });
      const accepted = await ask(id, 'flip', { mode: 'h' });
      expect(accepted.status).to.equal(200);
      expect(Object.keys(accepted.json)).to.have.members(['op', 'status', 'task_id']);
      expect(accepted.json).to.include({ op: 'flip', status: 'accepted' });
      const { task_id: task } = accepted.json;
      expect(await ended(id, task)).to.deep.equal({
        task_id: task,
        op: 'flip',
        status: 'done',
        done: true,
        error: null,
        error_code: null,
        version: 2,
      });
      const after = await service.settled(id);
      expect(after).to.include({ version: 2, filename: 'p.png', mime: 'image/png', kind: 'image' });
      expect(await coloursOf(await bytesOf(id))).to.deep.equal(['blue', 'red']);
      expect((await bytesOf(id, '?version=1')).equals(bytes)).to.equal(true);
      const versions = await service.call('GET', `/v1/objects/${id}/versions`);
      expect(versions.json.items.map((v: { origin: string }) => v.origin)).to.deep.equal([
        'image',
        'upload',
      ]);
      const thumbnail = await fetch(`${service.base}/v1/objects/${id}/thumbnail?size=64`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      expect(await coloursOf(Buffer.from(await thumbnail.arrayBuffer()))).to.deep.equal([
        'blue',
        'red',
      ]);
      const [reported] = await event('image.done');
      expect(reported.payload).to.deep.equal({
        object_id: id,
        filename: 'p.png',
        task_id: task,
        op: 'flip',
        error_code: null,
        error_fact: '',
      });
      await service.call('POST', `/v1/objects/${id}/versions/1/restore`);
      expect(await coloursOf(await bytesOf(id))).to.deep.equal(['red', 'blue']);
    });

    it('are all five supported, for jpg, png and webp, with the orientation applied and without location metadata', async () => {
      const jpg = await heldOnItsSide(200);
      const webp = await (await noiseOf(200, 100)).webp({ quality: 95 }).toBuffer();
      for (const [name, bytes] of [
        ['a.jpg', jpg],
        ['a.png', await twoColours(200).png().toBuffer()],
        ['a.webp', webp],
      ] as const) {
        const id = await uploaded(name, bytes);
        let version = 1;
        const now = async (op: string, body: object) => {
          expect(await done(id, op, body), `${name} ${op}`).to.deep.include({
            status: 'done',
            error: null,
            version: ++version,
          });
          const facts = await sharp(await bytesOf(id)).metadata();
          expect([facts.exif, facts.orientation], `${name} ${op}`).to.deep.equal([
            undefined,
            undefined,
          ]);
          return `${facts.format} ${facts.width}x${facts.height}`;
        };
        const format = { 'a.jpg': 'jpeg', 'a.png': 'png', 'a.webp': 'webp' }[name];
        expect(await now('resize', { max_side: 10_000 })).to.equal(`${format} 200x100`);
        expect(await now('resize', { max_side: 100, quality: 80 })).to.equal(`${format} 100x50`);
        expect(await now('crop', { box: [0, 0, 0.5, 1] })).to.equal(`${format} 50x50`);
        expect(await now('crop', { box: [0, 0, 1, 0.5] })).to.equal(`${format} 50x25`);
        expect(await now('rotate', { angle: 270 })).to.equal(`${format} 25x50`);
        expect(await now('flip', { mode: 'v' })).to.equal(`${format} 25x50`);
        if (name !== 'a.png')
          expect(await now('compress', { quality: 10 })).to.equal(`${format} 25x50`);
      }
    });

    it('report why an image that would not become smaller is unchanged', async () => {
      const bytes = await (await noiseOf(100, 80)).jpeg({ quality: 30 }).toBuffer();
      const id = await uploaded('small.jpg', bytes);
      const status = await done(id, 'compress', { quality: 100 });
      expect(status).to.include({ status: 'done', version: 1 });
      expect(status.error).to.match(/not become smaller/);
      expect((await bytesOf(id)).equals(bytes)).to.equal(true);
      expect(await card(id)).to.include({ version: 1 });
    });

    it('are rejected with 415 for other types, with any name, and for compressing a png', async () => {
      const apng = await png();
      const moving = Buffer.concat([
        apng.subarray(0, 33),
        Buffer.from('000000086163544c0000000200000000f38d9370', 'hex'),
        apng.subarray(33),
      ]);
      for (const [name, bytes, op, body] of [
        ['svg.png', SVG, 'flip', { mode: 'h' }],
        ['gif.png', GIF, 'flip', { mode: 'h' }],
        ['text.jpg', 'no picture at all', 'rotate', { angle: 90 }],
        ['note.txt', 'text', 'crop', { box: [0, 0, 1, 1] }],
        ['whole.png', await png(), 'compress', { quality: 50 }],
        ['moving.png', moving, 'rotate', { angle: 90 }],
        ['bomb.png', await blackPng(16_000), 'rotate', { angle: 90 }],
        ['head.png', apng.subarray(0, 20), 'rotate', { angle: 90 }],
      ] as const) {
        const id = await uploaded(name, bytes);
        const { status, json } = await ask(id, op, body);
        expect({ status, code: json.code }, name).to.deep.equal({
          status: 415,
          code: 'unsupported_type',
        });
        expect(json.detail, name).to.match(/^[A-Z][^/\\]+\.$/);
        expect(json.error_code, name).to.match(
          /^(wrong_type|lossless|animated|too_many_pixels|damaged)$/,
        );
        expect((await bytesOf(id)).equals(Buffer.from(bytes)), name).to.equal(true);
        expect((await card(id)).version, name).to.equal(1);
      }
      const link = await service.call('POST', '/v1/objects/links', {
        body: { url: 'http://localhost/p.png' },
      });
      expect((await ask(link.json.id, 'flip', { mode: 'h' })).status).to.equal(415);
    });

    it('fail for damaged bytes, which are unchanged, and notify the owner', async () => {
      const whole = await (await noiseOf(300, 200)).jpeg().toBuffer();
      const bytes = whole.subarray(0, whole.length / 2);
      const id = await uploaded('half.jpg', bytes);
      const accepted = await ask(id, 'rotate', { angle: 90 });
      expect(accepted.status).to.equal(200);
      const status = await ended(id, accepted.json.task_id);
      expect(status).to.include({ status: 'failed', done: true, version: null });
      expect(status.error).to.match(/damaged/);
      expect(status.error_code).to.equal('damaged');
      expect((await bytesOf(id)).equals(bytes)).to.equal(true);
      expect((await card(id)).version).to.equal(1);
      const [reported] = await event('image.failed');
      expect(reported.payload).to.deep.equal({
        object_id: id,
        filename: 'half.jpg',
        task_id: accepted.json.task_id,
        op: 'rotate',
        error_code: 'damaged',
        error_fact: '',
      });
    });

    it('omit data after the end of the image', async () => {
      const bytes = Buffer.concat([await png(), Buffer.from('%PDF-1.7 <script>alert(1)</script>')]);
      const id = await uploaded('both.png', bytes);
      expect(await done(id, 'flip', { mode: 'v' })).to.include({ status: 'done' });
      expect((await bytesOf(id)).includes('script')).to.equal(false);
    });

    const fault = (answer: Answer, field: string) =>
      answer.json.detail.find(({ loc }: { loc: string[] }) => loc[1] === field);

    it('require the field of their operation', async () => {
      const id = await uploaded('p.png', await png());
      for (const [op, field] of [
        ['compress', 'quality'],
        ['resize', 'max_side'],
        ['rotate', 'angle'],
        ['flip', 'mode'],
        ['crop', 'box'],
      ] as const)
        for (const body of [{}, { [field]: null }, { other: 1 }]) {
          const answer = await ask(id, op, body);
          expect(answer.status, op).to.equal(422);
          expect(answer.json.detail, op).to.deep.equal([
            { type: 'missing', loc: ['body', field], msg: 'Field required', input: body },
          ]);
        }
      const none = await service.call('POST', `/v1/objects/${id}/image/rotate`);
      expect(none.status).to.equal(422);
      expect(none.json.detail[0]).to.deep.include({ type: 'missing', loc: ['body'] });
    });

    it('reject fields of other operations, and values out of range', async () => {
      const id = await uploaded('p.png', await png());
      const angle = await ask(id, 'rotate', { angle: 45 });
      expect(fault(angle, 'angle')).to.deep.equal({
        type: 'literal_error',
        loc: ['body', 'angle'],
        msg: 'Input should be 90, 180 or 270',
        input: 45,
        ctx: { expected: '90, 180 or 270' },
      });
      const mode = await ask(id, 'flip', { mode: 'x' });
      expect(fault(mode, 'mode')).to.deep.equal({
        type: 'literal_error',
        loc: ['body', 'mode'],
        msg: "Input should be 'h' or 'v'",
        input: 'x',
        ctx: { expected: "'h' or 'v'" },
      });
      for (const box of [
        [0.5, 0, 0.5, 1],
        [0, 0.6, 1, 0.5],
        [1, 1, 0, 0],
      ]) {
        const crop = await ask(id, 'crop', { box });
        expect(fault(crop, 'box')).to.deep.include({ type: 'value_error', input: box });
      }
      for (const op of ['compress', 'resize', 'rotate', 'flip', 'crop'])
        for (const [body, type, loc] of [
          [{ quality: 9 }, 'greater_than_equal', ['body', 'quality']],
          [{ quality: 101 }, 'less_than_equal', ['body', 'quality']],
          [{ quality: 50.5 }, 'int_from_float', ['body', 'quality']],
          [{ quality: '50' }, 'int_type', ['body', 'quality']],
          [{ max_side: 15 }, 'greater_than_equal', ['body', 'max_side']],
          [{ max_side: 10_001 }, 'less_than_equal', ['body', 'max_side']],
          [{ angle: 'x' }, 'int_type', ['body', 'angle']],
          [{ mode: 'hv' }, 'string_too_long', ['body', 'mode']],
          [{ mode: 1 }, 'string_type', ['body', 'mode']],
          [{ box: [0, 0, 1] }, 'too_short', ['body', 'box']],
          [{ box: [0, 0, 1, 1, 1] }, 'too_long', ['body', 'box']],
          [{ box: [0, 0, 1.5, 1] }, 'less_than_equal', ['body', 'box', 2]],
          [{ box: [-0.1, 0, 1, 1] }, 'greater_than_equal', ['body', 'box', 0]],
          [{ box: [0, 'x', 1, 1] }, 'float_type', ['body', 'box', 1]],
          [{ box: {} }, 'list_type', ['body', 'box']],
        ] as const) {
          const answer = await ask(id, op, body);
          expect(answer.status, `${op} ${JSON.stringify(body)}`).to.equal(422);
          const at = answer.json.detail.filter(
            (each: { loc: unknown }) => JSON.stringify(each.loc) === JSON.stringify(loc),
          );
          expect(at.map((each: { type: string }) => each.type)).to.deep.equal([type]);
        }
      const both = await ask(id, 'rotate', { quality: 5, box: [0, 0, 2, 1] });
      expect(both.json.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))).to.deep.equal([
        'body.quality',
        'body.angle',
        'body.box.2',
      ]);
    });

    it('are five and no other, validated before the object', async () => {
      const answer = await ask(MISSING, 'sharpen', { quality: 5 });
      expect(answer.status).to.equal(422);
      const expected = "'compress', 'resize', 'rotate', 'flip' or 'crop'";
      expect(answer.json.detail[0]).to.deep.equal({
        type: 'literal_error',
        loc: ['path', 'op'],
        msg: `Input should be ${expected}`,
        input: 'sharpen',
        ctx: { expected },
      });
      expect(answer.json.detail[1]).to.deep.include({ loc: ['body', 'quality'] });
      expect((await ask(MISSING, 'rotate', { angle: 1 })).status).to.equal(422);
      expect((await ask('x', 'rotate', { angle: 90 })).json.detail[0].loc).to.deep.equal([
        'path',
        'object_id',
      ]);
    });

    it('accept integers with a decimal point', async () => {
      const id = await uploaded('p.png', await png());
      const raw = '{"angle": 90.0, "mode": null, "unknown": []}';
      const { status } = await service.call('POST', `/v1/objects/${id}/image/rotate`, {
        raw,
        headers: { 'content-type': 'application/json' },
      });
      expect(status).to.equal(200);
    });

    it('are 404 for missing or foreign objects, and so is their status elsewhere', async () => {
      const id = await uploaded('p.png', await png());
      const other = await uploaded('q.png', await png());
      const { json } = await ask(id, 'rotate', { angle: 90 });
      const foreign = await service.newOwner();
      const missing = await ask(MISSING, 'rotate', { angle: 90 });
      expect(missing.status).to.equal(404);
      expect((await ask(id, 'rotate', { angle: 90 }, {}, foreign.token)).text).to.equal(
        missing.text,
      );
      for (const [object, task, token] of [
        [other, json.task_id, service.token],
        [MISSING, json.task_id, service.token],
        [id, MISSING, service.token],
        [id, 'x', service.token],
        [id, json.task_id, foreign.token],
      ] as const) {
        const path = `/v1/objects/${object}/image/status/${task}`;
        const answer = await service.call('GET', path, { token });
        expect([answer.status, answer.text]).to.deep.equal([404, missing.text]);
      }
      await ended(id, json.task_id);
    });

    it('are not allowed with read-only tokens, which may read the status', async () => {
      const id = await uploaded('p.png', await png());
      const { json } = await service.call('POST', '/v1/tokens', {
        body: { name: 'r', access: 'read' },
      });
      const refused = await ask(id, 'rotate', { angle: 90 }, {}, json.token);
      expect([refused.status, refused.json.code]).to.deep.equal([403, 'forbidden']);
      const { task_id: task } = (await ask(id, 'rotate', { angle: 90 })).json;
      const path = `/v1/objects/${id}/image/status/${task}`;
      expect((await service.call('GET', path, { token: json.token })).status).to.equal(200);
      await ended(id, task);
    });

    it('run one after another, in request order', async () => {
      const bytes = await twoColours(64).png().toBuffer();
      const id = await uploaded('p.png', bytes);
      const steps = [
        ['crop', { box: [0, 0, 0.75, 1] }],
        ['rotate', { angle: 90 }],
        ['flip', { mode: 'v' }],
        ['crop', { box: [0, 0, 1, 0.5] }],
        ['rotate', { angle: 270 }],
      ] as const;
      const tasks: string[] = [];
      for (const [op, body] of steps) tasks.push((await ask(id, op, body)).json.task_id);
      const states = [];
      for (const task of tasks) states.push(await ended(id, task));
      expect(states.map(({ status, version }) => [status, version])).to.deep.equal(
        [2, 3, 4, 5, 6].map((version) => ['done', version]),
      );
      const one = sharp(
        await sharp(bytes).extract({ left: 0, top: 0, width: 48, height: 32 }).png().toBuffer(),
      );
      const two = sharp(await one.rotate(90).png().toBuffer());
      const three = sharp(await two.flip().png().toBuffer());
      const four = sharp(
        await three.extract({ left: 0, top: 0, width: 32, height: 24 }).png().toBuffer(),
      );
      const five = await four.rotate(270).raw().toBuffer();
      expect(
        (
          await sharp(await bytesOf(id))
            .raw()
            .toBuffer()
        ).equals(five),
      ).to.equal(true);
    });

    it('change the object once, however often the process is killed', async () => {
      const bytes = await sharp({
        create: { width: 3_000, height: 1_500, channels: 3, background: '#e00000' },
      })
        .composite([
          {
            input: { create: { width: 1_500, height: 1_500, channels: 3, background: '#0000e0' } },
            left: 1_500,
            top: 0,
          },
        ])
        .png()
        .toBuffer();
      const id = await uploaded('large.png', bytes);
      await service.settled(id);
      const tasks: string[] = [];
      for (const angle of [90, 90, 90])
        tasks.push((await ask(id, 'rotate', { angle })).json.task_id);
      for (const wait of [20, 150, 400]) {
        await new Promise((resolve) => setTimeout(resolve, wait));
        service = await service.restart('SIGKILL');
      }
      const versions = [];
      for (const task of tasks)
        versions.push(
          (
            await eventually(
              () => statusOf(id, task),
              ({ json }) => json.done,
              55_000,
            )
          ).json.version,
        );
      expect(versions).to.deep.equal([2, 3, 4]);
      const facts = await sharp(await bytesOf(id)).metadata();
      expect([facts.width, facts.height]).to.deep.equal([1_500, 3_000]);
      // Rotated clockwise by 270 degrees: the right side is now on top.
      const { data } = await sharp(await bytesOf(id))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([...data.subarray(0, 3)]).to.deep.equal([0, 0, 224]);
    });

    it('are queued once per idempotency key', async () => {
      const id = await uploaded('p.png', await png());
      const headers = { 'idempotency-key': 'turn' };
      const first = await ask(id, 'rotate', { angle: 90 }, headers);
      const again = await ask(id, 'rotate', { angle: 90 }, headers);
      expect(again.json).to.deep.equal(first.json);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      const other = await ask(id, 'rotate', { angle: 180 }, headers);
      expect([other.status, other.json.code]).to.deep.equal([409, 'idempotency_key_reused']);
      await ended(id, first.json.task_id);
      expect((await card(id)).version).to.equal(2);
    });

    it('are 409 in the trash', async () => {
      const id = await uploaded('p.png', await png());
      await service.call('DELETE', `/v1/objects/${id}`);
      const refused = await ask(id, 'rotate', { angle: 90 });
      expect([refused.status, refused.json.code]).to.deep.equal([409, 'in_trash']);
    });

    it('are 404 for a hidden object while the zone is locked, without a task; their notifications and status are hidden with it', async () => {
      const id = await uploaded('h.png', await png(), { is_hidden: 'true' });
      await service.call('POST', '/v1/hidden-pin', { body: { pin: '1357' } });
      try {
        const { token } = (
          await service.call('POST', '/v1/hidden-pin/unlock', { body: { pin: '1357' } })
        ).json;
        const open = { 'x-hidden-token': token };
        const missing = await ask(MISSING, 'rotate', { angle: 90 });
        expect((await ask(id, 'rotate', { angle: 90 })).text).to.equal(missing.text);
        const accepted = await ask(id, 'rotate', { angle: 180 }, open);
        expect(accepted.status).to.equal(200);
        const { task_id: task } = accepted.json;
        expect((await statusOf(id, task)).text).to.equal(missing.text);
        expect(await ended(id, task, open)).to.include({ status: 'done', version: 2 });
        const tells = async (headers = {}) =>
          (await service.call('GET', '/v1/notifications?limit=100', { headers })).text.includes(
            task,
          );
        expect(await tells()).to.equal(false);
        expect(await tells(open)).to.equal(true);
        const versions = await service.call('GET', `/v1/objects/${id}/versions`, { headers: open });
        expect(versions.json.total).to.equal(2);
      } finally {
        await service.call('DELETE', '/v1/hidden-pin', { body: { pin: '1357' } });
      }
    });

    it('of an object hidden since are not found, with a key or without', async () => {
      const id = await uploaded('p.png', await png());
      const headers = { 'idempotency-key': 'hidden-since' };
      const { json } = await ask(id, 'rotate', { angle: 90 }, headers);
      await ended(id, json.task_id);
      await service.call('PATCH', `/v1/objects/${id}`, { body: { is_hidden: true } });
      await service.call('POST', '/v1/hidden-pin', { body: { pin: '1357' } });
      try {
        const again = await ask(id, 'rotate', { angle: 90 }, headers);
        const first = await ask(id, 'rotate', { angle: 90 });
        expect([again.status, again.text]).to.deep.equal([first.status, first.text]);
        expect([again.status, again.json.code]).to.deep.equal([404, 'not_found']);
      } finally {
        await service.call('DELETE', '/v1/hidden-pin', { body: { pin: '1357' } });
      }
    });

    it('preserve the name of an image, chosen by its owner or not', async () => {
      await service.call('PUT', '/v1/settings', { body: { auto_rename_mode: 'auto' } });
      try {
        const id = await uploaded('IMG_0001.png', await png());
        const before = await service.settled(id);
        await done(id, 'rotate', { angle: 90 });
        const after = await service.settled(id);
        for (const field of ['filename', 'name_source', 'ai_name', 'suggested_name', 'created_at'])
          expect(after[field], field).to.deep.equal(before[field]);
      } finally {
        await service.call('PUT', '/v1/settings', { body: { auto_rename_mode: 'suggest' } });
      }
    });

    it('are deleted with their object', async () => {
      const id = await uploaded('p.png', await png());
      const { json } = await ask(id, 'rotate', { angle: 90 });
      await service.call('DELETE', `/v1/objects/${id}?permanent=true`);
      expect((await statusOf(id, json.task_id)).status).to.equal(404);
    });

    it('are 402 once the storage quota is used up', async () => {
      const role = { requests_per_minute: 1_000, questions: null, enrichments: null };
      const folder = await mkdtemp(join(tmpdir(), 'ow-roles-'));
      const bytes = await (await noiseOf(100, 80)).png().toBuffer();
      const limit = (more: number) => ({
        unlimited: { ...role, storage_bytes: null },
        small: { ...role, storage_bytes: bytes.length + more },
      });
      await writeFile(join(folder, 'none.json'), JSON.stringify(limit(0)));
      await writeFile(join(folder, 'little.json'), JSON.stringify(limit(100)));
      for (const [file, expected] of [
        ['none.json', 402],
        ['little.json', 200],
      ] as const) {
        const other = await startService(profile, { ROLES_FILE: join(folder, file) });
        try {
          const { token } = await other.newOwner('small');
          const up = await other.uploadAll([['p.png', bytes]], {}, { token });
          const id: string = up.json.items[0].id;
          const path = `/v1/objects/${id}/image`;
          const body = { mode: 'h' };
          const answer = await other.call('POST', `${path}/flip`, { token, body });
          expect(answer.status, file).to.equal(expected);
          if (expected === 402) expect(answer.json.code).to.equal('plan_limit');
          else {
            const status = await eventually(
              () => other.call('GET', `${path}/status/${answer.json.task_id}`, { token }),
              ({ json }) => json.done,
            );
            expect(status.json).to.include({ status: 'failed', version: null });
            expect(status.json.error).to.match(/room/);
          }
          expect((await other.call('GET', `/v1/objects/${id}`, { token })).json.version).to.equal(
            1,
          );
        } finally {
          await other.dispose();
        }
      }
      await rm(folder, { recursive: true });
    });
  });

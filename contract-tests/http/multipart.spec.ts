import { expect } from 'chai';
import { readdir } from 'node:fs/promises';
import { fewPlacings, startService, type Service } from './harness.ts';
import { openRawConnection, type RawResponse } from './raw-connection.ts';

const LIMIT = 400_000;

for (const { title, profile, files } of fewPlacings)
  describe(`${title}: multipart/form-data`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, { MAX_UPLOAD_BYTES: String(LIMIT) }, files);
    });
    after(() => service.dispose());

    const alive = async () =>
      expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);
    const head = (type: string, length?: number) =>
      [
        'POST /v1/uploads HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${service.token}`,
        `Content-Type: ${type}`,
        length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
        'Connection: close',
        '\r\n',
      ].join('\r\n');
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
    const leftOvers = async () =>
      (await readdir(service.dataDir, { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile() && /incoming|blobs/.test(entry.parentPath),
      ).length;
    const sent = async (type: string, body: string): Promise<RawResponse> => {
      const wire = await openRawConnection(service.base);
      wire.send(head(type, Buffer.byteLength(body)) + body);
      return wire.answer();
    };

    it('that ends in the middle is rejected, and no part of it is stored', async () => {
      const before = await leftOvers();
      for (const body of [
        part,
        part + 'half of it',
        part + 'x'.repeat(300_000),
        `${part}whole\r\n${part}half`,
        `${part}whole\r\n--b`,
        '--b\r\nContent-Disposition: form-data; na',
        '--b\r\nContent-Disposition: form-data; name="is_hidden"\r\n\r\ntr',
        'no part at all',
        '--b--\r\n',
      ]) {
        const answer = await sent('multipart/form-data; boundary=b', body);
        expect(answer.status, body.slice(0, 90)).to.equal(422);
        expect(JSON.parse(answer.body).detail[0].loc[0]).to.equal('body');
      }
      await alive();
      expect(await leftOvers()).to.equal(before);
    });

    it('ends without effect on others if its connection is cut or its sender stalls', async () => {
      const before = await leftOvers();
      const total = (await service.call('GET', '/v1/objects')).json.total;
      for (const body of ['', '--b', part, part + 'half', `${part}whole\r\n${part}half`])
        for (const leave of ['cut', 'finish'] as const) {
          const wire = await openRawConnection(service.base);
          wire.send(head('multipart/form-data; boundary=b', 1_000_000) + body);
          // A request can be interrupted only after some of it has arrived.
          await new Promise((resolve) => setTimeout(resolve, 20));
          wire[leave]();
          if (leave === 'finish') expect((await wire.answer()).status).to.be.oneOf([0, 400, 422]);
        }
      await alive();
      const deadline = Date.now() + 10_000;
      while ((await leftOvers()) !== before && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 25));
      expect(await leftOvers()).to.equal(before);
      expect((await service.call('GET', '/v1/objects')).json.total).to.equal(total);
    });

    it('never loses a field among many', async () => {
      const many = (count: number) => ({
        ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, 'y'])),
        is_hidden: 'true',
      });
      const hidden = await service.upload('a.txt', 'among many', many(500));
      expect(hidden.json.items[0].is_hidden).to.equal(true);
      const before = await leftOvers();
      expect((await service.upload('b.txt', 'too many', many(2_000))).status).to.equal(422);
      expect(await leftOvers()).to.equal(before);
    });

    it('with meaningless headers is rejected', async () => {
      for (const [type, body] of [
        ['multipart/form-data', `${part}x\r\n--b--`],
        ['multipart/form-data; boundary=', `${part}x\r\n--b--`],
        ['multipart/form-data; boundary=other', `${part}x\r\n--b--`],
        ...[1, 65, 83, 100].flatMap((length) =>
          [`boundary=${'\u00e9'.repeat(length)}`, `boundary="${'\u00e9'.repeat(length)}"`].map(
            (boundary) => [`multipart/form-data; ${boundary}`, `${part}x\r\n--b--`] as const,
          ),
        ),
        ['multipart/form-data; boundary=b\u00e9', `${part}x\r\n--b--`],
        [`multipart/form-data; boundary=${'b'.repeat(201)}`, `${part}x\r\n--b--`],
        ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition\r\n\r\nx\r\n--b--'],
        ['multipart/form-data; boundary=b', '--b\r\n\r\nx\r\n--b--'],
        [
          'multipart/form-data; boundary=b',
          `--b\r\nX: ${'y'.repeat(100_000)}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--`,
        ],
        ['multipart/form-data; boundary=b', `${part}x\r\n--b\r\nX: y\r\n--b--`],
        [
          'multipart/form-data; boundary=b',
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a\nb"\r\n\r\nx\r\n--b--',
        ],
        [
          'multipart/form-data; boundary=b',
          '--b\r\nContent-Disposition: attachment; name="file"; filename="a"\r\n\r\nx\r\n--b--',
        ],
        ['text/plain', 'x'],
        ['application/json', '{}'],
        ['application/x-www-form-urlencoded', 'file=x'],
      ] as const) {
        const answer = await sent(type, body);
        expect(answer.status, `${type} ${body.slice(0, 50)}`).to.equal(422);
        expect(JSON.parse(answer.body).detail[0].type).to.be.a('string');
      }
      await alive();
    });

    it('limits the size of text fields', async () => {
      const before = await leftOvers();
      const large = await service.upload('a.txt', 'x', { collection_id: 'y'.repeat(2 ** 20 + 1) });
      expect([large.status, large.json.code]).to.deep.equal([413, 'too_large']);
      const parts = Array.from(
        { length: 2_000 },
        () => `${part.replace('"file"', '"other"')}x\r\n`,
      );
      const many = await sent('multipart/form-data; boundary=b', `${parts.join('')}--b--`);
      expect(many.status).to.equal(422);
      expect(await leftOvers()).to.equal(before);
    });

    describe('names of files', () => {
      const nameOf = async (parameters: string): Promise<string> => {
        const body = `--b\r\nContent-Disposition: form-data; ${parameters}\r\n\r\nx\r\n--b--\r\n`;
        const { status, body: answer } = await sent('multipart/form-data; boundary="b"', body);
        expect(status, parameters).to.equal(200);
        return JSON.parse(answer).items[0].filename;
      };

      it('arrive as given to a browser, curl or undici, with any characters', async () => {
        for (const [given, stored] of [
          ['plain.txt', 'plain.txt'],
          ['Größe – 報告.txt', 'Größe – 報告.txt'],
          ['a "quoted" name.txt', 'a "quoted" name.txt'],
          ['100% of it %41 %2F %zz.txt', '100% of it %41 %2F %zz.txt'],
          ['two\nlines\r\nor three.txt', 'two_lines__or three.txt'],
          ['semi;colon=equals, comma.txt', 'semi;colon=equals, comma.txt'],
          ['tab\there.txt', 'tab_here.txt'],
          ["it's.txt", "it's.txt"],
          ['back\\slash.txt', 'slash.txt'],
          ['../../up/and/away.txt', 'away.txt'],
        ] as const) {
          const { json } = await service.upload(given, 'x');
          expect(json.items[0].filename, given).to.equal(stored);
          expect(json.items[0].original_name).to.equal(stored);
        }
        // A browser sends `%22` and an escaped quote alike, so it counts as a quote.
        expect((await service.upload('a%22b.txt', 'x')).json.items[0].filename).to.equal('a"b.txt');
      });

      it('are read in every way clients write them', async () => {
        for (const [parameters, stored] of [
          ['name="file"; filename="a\0b.txt"', 'a_b.txt'],
          ['name="file"; filename="a\x01\x1b\x7f.txt"', 'a___.txt'],
          ['name=file; filename=plain.txt', 'plain.txt'],
          ['name=file;filename=with blank.txt', 'with blank.txt'],
          ['NAME="file"; FileName="case.txt"', 'case.txt'],
          ['filename="first.txt"; name="file"', 'first.txt'],
          ['name="file"; filename="a \\"b\\".txt"', 'a "b".txt'],
          ['name="file"; filename="C:\\dir\\file.txt"', 'file.txt'],
          ['name="file"; filename="C:\\\\dir\\\\file.txt"', 'file.txt'],
          ['name="file"; filename="ends in\\"', 'unnamed'],
          ['name="file"; filename="x.txt"; filename*=UTF-8\'\'%e2%82%ac.txt', '€.txt'],
          ['name="file"; filename="x.txt"; filename*=UTF-8\'\'%ff', 'x.txt'],
          ['name="file"; filename="../../etc/passwd"', 'passwd'],
          ['name="file"; filename=""', 'unnamed'],
          ['name="file"; filename="%0D%0A%22"', '__"'],
          [
            'name="fi%0D%0Ale"; filename="no.txt"\r\n\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="yes.txt"',
            'yes.txt',
          ],
        ] as const)
          expect(await nameOf(parameters), JSON.stringify(parameters)).to.equal(stored);
      });
    });

    it('without a file but with an empty file input has no file', async () => {
      const empty =
        '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n';
      const type = 'multipart/form-data; boundary=b';
      const before = await leftOvers();
      for (const body of [`${empty}--b--`, `${empty}${empty}--b--`]) {
        const { status, body: answer } = await sent(type, body);
        expect(status).to.equal(422);
        expect(JSON.parse(answer).detail).to.deep.equal([
          { type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null },
        ]);
      }
      const form = new FormData();
      form.append('file', new File([], ''));
      expect((await service.call('POST', '/v1/uploads', { raw: form })).status).to.equal(422);
      expect(await leftOvers()).to.equal(before);
      // Ignored beside a file. An empty file with a name is a file.
      const beside = JSON.parse((await sent(type, `${empty}${part}x\r\n${empty}--b--`)).body);
      expect(beside.items.map((it: { filename: string }) => it.filename)).to.deep.equal(['a.txt']);
      const none = await service.upload('empty.txt', '');
      expect([none.status, none.json.items[0].size]).to.deep.equal([200, 0]);
      const version = await service.call('POST', `/v1/objects/${none.json.items[0].id}/content`, {
        headers: { 'content-type': type },
        raw: `${empty}--b\r\nContent-Disposition: form-data; name="base_version"\r\n\r\n1\r\n${part}now\r\n--b--`,
      });
      expect([version.status, version.json.version]).to.deep.equal([200, 2]);
    });

    it('with a file over the limit, or with too many, is rejected as a whole', async () => {
      const upload = (...sizes: readonly number[]) => {
        const form = new FormData();
        for (const [n, size] of sizes.entries())
          form.append('file', new Blob([new Uint8Array(size)]), `${n}.bin`);
        return service.call('POST', '/v1/uploads', { raw: form });
      };
      expect((await upload(LIMIT)).status).to.equal(200);
      const before = await leftOvers();
      const total = async () => (await service.call('GET', '/v1/objects')).json.total;
      const objects = await total();
      for (const sizes of [[LIMIT + 1], [1, 2, LIMIT + 1], [LIMIT + 1, 1], [50 * LIMIT]]) {
        const { status, json } = await upload(...sizes);
        expect([status, json.code], sizes.join()).to.deep.equal([413, 'too_large']);
      }
      const many = await upload(...Array<number>(101).fill(1));
      expect([many.status, many.json.detail[0].type]).to.deep.equal([422, 'too_long']);
      const form = new FormData();
      form.append('file', new Blob(['x']), 'x.txt');
      form.append('collection_id', '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f');
      expect((await service.call('POST', '/v1/uploads', { raw: form })).status).to.equal(404);
      expect(await total()).to.equal(objects);
      expect(await leftOvers()).to.equal(before);
    });

    it('with a read-only token gets validation errors first, and nothing is stored', async () => {
      const { token } = (
        await service.call('POST', '/v1/tokens', { body: { name: 'r', access: 'read' } })
      ).json;
      const before = await leftOvers();
      const upload = async (bytes: number, fields: Record<string, string>) => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        if (bytes > 0) form.append('file', new Blob([new Uint8Array(bytes)]), 'a.bin');
        return (await service.call('POST', '/v1/uploads', { token, raw: form })).status;
      };
      expect(await upload(10, { collection_id: 'none' })).to.equal(422);
      expect(await upload(0, { is_hidden: 'true' })).to.equal(422);
      expect(await upload(LIMIT + 1, {})).to.equal(413);
      expect(await upload(LIMIT, {})).to.equal(403);
      expect(await upload(10, { is_hidden: 'true' })).to.equal(403);
      const broken = await service.call('POST', '/v1/uploads', {
        token,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        raw: `${part}half`,
      });
      expect(broken.status).to.equal(422);
      expect(await leftOvers()).to.equal(before);
      await alive();
    });

    it('is rejected before it is read if the sender is not authorized', async () => {
      const large = new Blob([new Uint8Array(20_000_000)]);
      const before = await leftOvers();
      for (const [path, who, status] of [
        ['/v1/uploads', null, 401],
        ['/v1/nowhere', service.token, 404],
      ] as const) {
        const form = new FormData();
        form.append('file', large, 'large.bin');
        const answer = await service.call('POST', path, { token: who, raw: form });
        expect(answer.status, path).to.equal(status);
      }
      expect(await leftOvers()).to.equal(before);
    });
  });

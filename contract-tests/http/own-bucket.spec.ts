import { expect } from 'chai';
import { createHash, randomBytes } from 'node:crypto';
import { openS3Service, USUAL_HABITS, type Habits, type S3Service } from '../fake-s3.ts';
import { startLocalServer } from '../local-server.ts';
import { eventually, profiles, startService, type Service } from './harness.ts';

const SECRET = 'open/ses+ame@9';
const HIDDEN = [SECRET, btoa(SECRET), encodeURIComponent(SECRET)];
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

for (const profile of profiles)
  describe(`${profile}: an own bucket`, function () {
    this.timeout(120_000);
    let service: Service;
    let bucket: S3Service;
    before(async () => {
      bucket = await openS3Service();
      service = await startService(profile, {
        OUTBOUND_ALLOW: `127.0.0.1:${bucket.port}`,
        LOG_LEVEL: 'info',
      });
    });
    after(async () => {
      await service.dispose();
      await bucket.close();
    });
    afterEach(() => {
      bucket.injectFault();
      bucket.asked.length = 0;
      Object.assign(bucket.habits, USUAL_HABITS);
    });

    /** An owner with a prefix of its own, so that the specs share one bucket. */
    const owner = async (prefix: string) => {
      const { token } = await service.newOwner();
      const config = {
        endpoint: bucket.place.endpoint,
        region: bucket.place.region,
        bucket: bucket.place.bucket,
        prefix,
        access_key_id: bucket.place.accessKeyId,
      };
      const call = async (method: string, path: string, body?: unknown) => {
        const answer = await service.call(method, path, {
          token,
          ...(body !== undefined && { body }),
        });
        for (const hidden of HIDDEN) expect(answer.text).not.to.include(hidden);
        return answer;
      };
      const upload = (...files: (readonly [string, Uint8Array | string])[]) =>
        service.uploadAll(files, {}, { token });
      const added = async (name: string, bytes: Uint8Array | string): Promise<string> => {
        const { status, json, text } = await upload([name, bytes]);
        expect(status, text).to.equal(200);
        await service.settled(json.items[0].id, { token });
        return json.items[0].id;
      };
      return {
        token,
        config,
        call,
        upload,
        added,
        connect: (over: object = {}, more: object = { secret: SECRET }) =>
          call('PUT', '/v1/integrations/s3', { config: { ...config, ...over }, ...more }),
        toggle: (enabled: boolean) => call('PATCH', '/v1/integrations/s3', { enabled }),
        keys: () => [...bucket.objects.keys()].filter((key) => key.startsWith(`${prefix}/`)),
        fetched: (path: string, headers = {}) =>
          fetch(service.base + path, { headers: { authorization: `Bearer ${token}`, ...headers } }),
      };
    };

    it('is connected, checked by a probe, shown, switched, and forgotten', async () => {
      const { config, call, connect, toggle, keys } = await owner('card');
      const created = await connect({ unknown: 1 });
      expect(created.status, created.text).to.equal(200);
      const { checked_at: checkedAt, migration: _, ...card } = created.json;
      expect(checkedAt).to.match(/^\d{4}-/);
      expect(card).to.deep.equal({
        kind: 's3',
        configured: true,
        enabled: true,
        status: 'ok',
        last_error: '',
        last_error_code: null,
        last_error_fact: '',
        secret_hint: 'me@9',
        config,
      });
      expect(bucket.asked.map(({ operation }) => operation)).to.deep.equal([
        ...['PutObject', 'HeadObject', 'GetObject', 'DeleteObject'],
        ...['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload'],
        ...['HeadObject', 'GetObject', 'DeleteObject'],
      ]);
      expect(keys()).to.deep.equal([]);
      expect((await call('GET', '/v1/integrations/s3')).json).to.deep.equal(created.json);
      expect((await call('GET', '/v1/integrations')).json.items[1]).to.deep.equal(created.json);
      expect((await toggle(false)).json).to.include({ enabled: false, status: 'disabled' });
      expect((await toggle(true)).json).to.include({ enabled: true, status: 'ok' });
      bucket.injectFault(({ operation }) => (operation === 'GetObject' ? 'page' : undefined));
      const checked = await call('POST', '/v1/integrations/s3/check');
      expect(checked.json.status).to.equal('error');
      expect(checked.json.last_error).to.match(/not an S3 server/);
      expect(keys()).to.deep.equal([]);
      bucket.injectFault();
      for (const [over, more, reported] of [
        [{}, { secret: 'guessed' }, /does not accept the secret/],
        [{ bucket: 'elsewhere' }, { secret: SECRET }, /no such bucket/],
        [{ region: 'eu-west-1' }, { secret: SECRET }, /another region/],
        [{ access_key_id: 'OTHER' }, {}, /no secret/],
      ] as const) {
        const { status, json } = await connect(over, more);
        expect([status, json.status, json.enabled]).to.deep.equal([200, 'error', true]);
        expect(json.last_error).to.match(reported);
      }
      expect((await call('DELETE', '/v1/integrations/s3')).json).to.deep.equal({ deleted: true });
      expect((await call('GET', '/v1/integrations/s3')).json.configured).to.equal(false);
    });

    it('is rejected if a field is missing or invalid, with the name of each', async () => {
      const { call, connect } = await owner('fields');
      const none = await call('PUT', '/v1/integrations/s3', { config: {} });
      expect(none.status).to.equal(422);
      expect(none.json.detail.map(({ loc, type }: never) => [loc, type])).to.deep.equal(
        ['region', 'bucket', 'access_key_id'].map((field) => [
          ['body', 'config', field],
          'missing',
        ]),
      );
      for (const [field, values] of Object.entries({
        endpoint: [
          'ftp://a',
          'http://',
          'http://u:p@a.test',
          'http://a.test/x',
          'http://a.test?x',
          7,
        ],
        region: ['', 'eu west', 'a/b', 'x'.repeat(41)],
        bucket: ['', 'ab', 'Papers', 'a/b', '../x', 'a_b_c', '-abc', 'x'.repeat(64)],
        prefix: ['/a', 'a//b', '..', 'a/../b', './a', 'a b', 'é', 'x'.repeat(513)],
        force_path_style: ['yes', 1],
        access_key_id: ['', 'a b', 'a/b', 'a,b', 'x'.repeat(257)],
      }))
        for (const value of values) {
          const { status, json } = await connect({ [field]: value });
          expect(status, `${field} ${value}`).to.equal(422);
          expect(json.detail[0].loc).to.deep.equal(['body', 'config', field]);
        }
      expect(bucket.asked).to.deep.equal([]);
      const { json } = await connect({ endpoint: `HTTP://127.1:${bucket.port}/`, prefix: 'a/' });
      expect(json.config).to.include({ endpoint: bucket.place.endpoint, prefix: 'a/' });
      expect(json.status).to.equal('ok');
    });

    it('stores all new files, and returns them whole, by range, archived, shared and extracted', async () => {
      const { token, call, connect, toggle, upload, added, keys, fetched } = await owner('all');
      await connect();
      const large = randomBytes(6 * 2 ** 20 + 5);
      const file = await added('large.bin', large);
      const several = await upload(['a.txt', 'The lamp of the lighthouse.'], ['b.txt', 'Other.']);
      const [lamp] = several.json.items;
      await service.settled(lamp.id, { token });
      const note = await call('POST', '/v1/objects/notes', { content: 'A note.' });
      expect(note.status).to.equal(200);
      await call('PUT', `/v1/objects/${lamp.id}/content`, { content: 'x' });
      expect(keys().length).to.be.at.least(4);
      await toggle(false);
      const count = keys().length;
      await added('aside.txt', 'With the service.');
      expect(keys()).to.have.length(count);

      const whole = await fetched(`/v1/objects/${file}/content`);
      expect(sha256(new Uint8Array(await whole.arrayBuffer()))).to.equal(sha256(large));
      const range = { range: `bytes=${5 * 2 ** 20 - 2}-${5 * 2 ** 20 + 9}` };
      const part = await fetched(`/v1/objects/${file}/content`, range);
      expect(part.status).to.equal(206);
      const etag = whole.headers.get('etag') ?? '';
      expect(etag).to.equal(`"${sha256(large)}"`);
      expect(part.headers.get('etag')).to.equal(`W/${etag}`);
      const resumed = await fetched(`/v1/objects/${file}/content`, { ...range, 'if-range': etag });
      expect([resumed.status, resumed.headers.get('etag')]).to.deep.equal([200, etag]);
      expect(sha256(new Uint8Array(await resumed.arrayBuffer()))).to.equal(sha256(large));
      expect(Buffer.from(await part.arrayBuffer())).to.deep.equal(
        large.subarray(5 * 2 ** 20 - 2, 5 * 2 ** 20 + 10),
      );
      const found = await call('GET', '/v1/search?q=lighthouse');
      expect(found.json.items[0].object.id).to.equal(lamp.id);
      const packed = Buffer.from(await (await fetched('/v1/export')).arrayBuffer());
      expect(packed.includes(large.subarray(0, 1_000))).to.equal(true);
      for (const hidden of HIDDEN) expect(packed.includes(hidden)).to.equal(false);
      expect(await call('DELETE', '/v1/integrations/s3')).to.have.nested.property(
        'json.code',
        'in_use',
      );
      expect(await connect({ prefix: 'elsewhere' })).to.have.nested.property('json.code', 'in_use');
    });

    const HABITS: readonly Partial<Habits>[] = [
      { head: 'none' },
      { head: 'zero', get: 'chunked' },
      { head: 'not offered', get: 'closed' },
      { put: 201, body: '{"ok":true}', remove: 202 },
      { put: 204, remove: 200 },
      { tag: 'none', completed: 'empty' },
      { tag: 'weak', completed: 'padded' },
      { tag: 'unquoted', completed: 'bare' },
    ];
    for (const habits of HABITS)
      it(`accepts uploads if its check is ok, with ${JSON.stringify(habits)}`, async () => {
        Object.assign(bucket.habits, habits);
        const { token, connect, added, keys, fetched } = await owner(
          randomBytes(4).toString('hex'),
        );
        expect((await connect()).json.status).to.equal('ok');
        for (const bytes of [randomBytes(900), randomBytes(6 * 2 ** 20)]) {
          const id = await added('file.bin', bytes);
          const content = await fetched(`/v1/objects/${id}/content`);
          expect(content.status).to.equal(200);
          expect(sha256(new Uint8Array(await content.arrayBuffer()))).to.equal(sha256(bytes));
          const part = await fetched(`/v1/objects/${id}/content`, { range: 'bytes=7-99' });
          expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(7, 100))).to.equal(
            true,
          );
          await service.call('DELETE', `/v1/objects/${id}?permanent=true`, { token });
        }
        await eventually(
          async () => keys().length,
          (left) => left === 0,
        );
      });

    it('is not ok if an upload in parts fails', async () => {
      const { connect, keys } = await owner('parts');
      for (const operation of ['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload']) {
        bucket.injectFault((requested) =>
          requested.operation === operation ? 'forbidden' : undefined,
        );
        const { json } = await connect();
        expect([json.status, json.last_error_code], operation).to.deep.equal([
          'error',
          'access_denied',
        ]);
        expect(keys()).to.deep.equal([]);
        expect(bucket.uploads.size).to.equal(0);
      }
    });

    it('that is unavailable gives 503 and stores nothing, while other requests succeed', async () => {
      const { token, call, connect, upload, added, keys, fetched } = await owner('away');
      await connect();
      const id = await added('before.txt', 'It was there before.');
      const used = (await call('GET', '/v1/usage')).text;
      await bucket.goOffline();
      for (const answer of [
        await upload(['a.txt', 'one'], ['b.txt', 'two']),
        await call('POST', '/v1/objects/notes', { content: 'Nor was this.' }),
        await call('POST', '/v1/objects/links', { url: 'https://example.org/' }),
      ])
        expect([answer.status, answer.json.code], answer.text).to.deep.equal([503, 'unavailable']);
      expect((await fetched(`/v1/objects/${id}/content`)).status).to.equal(503);
      expect((await call('GET', '/v1/objects')).json.total).to.equal(1);
      expect((await call('GET', '/v1/search?q=before')).json.total).to.equal(1);
      expect((await call('GET', `/v1/objects/${id}/text`)).status).to.equal(200);
      expect((await call('GET', '/v1/usage')).text).to.equal(used);
      expect((await call('GET', '/v1/integrations/s3')).json).to.include({ status: 'error' });
      const event = (await call('GET', '/v1/notifications')).json.items;
      expect(event.filter(({ kind }: never) => kind === 'integration.failed')).to.have.length(1);
      expect((await service.upload('other.txt', 'Of somebody else.')).status).to.equal(200);
      await bucket.goOnline();
      expect((await fetched(`/v1/objects/${id}/content`)).status).to.equal(200);
      await added('after.txt', 'It came later.');
      expect((await call('GET', '/v1/integrations/s3')).json).to.include({ status: 'ok' });
      await service.call('DELETE', `/v1/objects/${id}?permanent=true`, { token });
      await eventually(
        async () => keys().length,
        (left) => left === 1,
      );
    });

    it('contains no trace of an aborted upload', async () => {
      const { connect, upload, call, keys } = await owner('half');
      await connect();
      let parts = 0;
      bucket.injectFault(({ operation }) =>
        operation === 'UploadPart' && ++parts > 1 ? 'forbidden' : undefined,
      );
      const { status } = await upload(['large.bin', randomBytes(11 * 2 ** 20)]);
      expect(status).to.equal(503);
      bucket.injectFault();
      expect((await call('GET', '/v1/objects')).json.total).to.equal(0);
      expect(keys()).to.deep.equal([]);
      expect(bucket.uploads.size).to.equal(0);
      // An open upload is no reason to hold the connection open.
      await eventually(
        async () => (await call('DELETE', '/v1/integrations/s3')).status,
        (code) => code === 200,
      );
    });

    it('is not requested at a private address in any spelling if those are blocked', async () => {
      const canary = await startLocalServer((_request, response) => void response.end());
      const { connect } = await owner('canary');
      for (const host of [
        '127.0.0.1',
        '127.1',
        '2130706433',
        '0x7f000001',
        '0x7f.1',
        '0177.0.0.1',
        '017700000001',
        '127.0.0.1.',
        '１２７.０.０.１',
        '127。0。0。1',
        '%31%32%37.0.0.1',
        '0',
        '[::1]',
        '[::ffff:127.0.0.1]',
        'localhost',
      ]) {
        const answer = await connect({ endpoint: `http://${host}:${canary.port}` });
        expect([200, 422], `${host} ${answer.text}`).to.include(answer.status);
        if (answer.status === 200) expect(answer.json.status, host).to.equal('error');
        if (answer.status === 200 && profile === 'team')
          expect(answer.json.last_error, host).to.match(/not one that this service connects to/);
      }
      expect(canary.visits() > 0).to.equal(profile !== 'team');
      const metadata = await connect({ endpoint: 'http://169.254.169.254' });
      expect(metadata.json.last_error).to.match(/not one that this service connects to/);
      await canary.close();
    });

    it('survives a restart with its files, and leaves its secret in no log', async () => {
      const { token, call, connect, added, fetched } = await owner('again');
      await connect();
      const id = await added('kept.txt', 'Kept.');
      service = await service.restart('SIGKILL');
      expect(await (await fetched(`/v1/objects/${id}/content`)).text()).to.equal('Kept.');
      expect((await call('POST', '/v1/integrations/s3/check')).json.status).to.equal('ok');
      for (const hidden of HIDDEN) expect(service.logged()).not.to.include(hidden);
      expect(token).to.be.a('string');
    });
  });

import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { profiles, type Call, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const MIB = 2 ** 20;

for (const profile of profiles)
  describe(`${profile}: the values of a request`, function () {
    this.timeout(60_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    const note = async (content = 'x'): Promise<string> =>
      (await service.call('POST', '/v1/objects/notes', { body: { content } })).json.id;
    const sendJson = (raw: Call['raw'], headers: Record<string, string> = {}) =>
      service.call('POST', '/v1/themes', {
        raw,
        headers: { 'content-type': 'application/json', ...headers },
      });
    const alive = async () =>
      expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);

    it('ids in any case, without dashes, answered in lower case with dashes', async () => {
      const id = await note();
      for (const spelling of [id.toUpperCase(), id.replaceAll('-', ''), `urn:uuid:${id}`]) {
        const answer = await service.call('GET', `/v1/objects/${spelling}`);
        expect([answer.status, answer.json.id], spelling).to.deep.equal([200, id]);
      }
      for (const text of ['x', `${id}0`, '%00', '%F0%9F%98%80'])
        expect((await service.call('GET', `/v1/objects/${text}`)).status, text).to.equal(422);
    });

    it('of a repeated query key the last counts, an empty value counts as absent', async () => {
      await note();
      await note();
      const count = async (query: string) =>
        (await service.call('GET', `/v1/objects?${query}`)).json.items?.length;
      expect(await count('limit=x&limit=1')).to.equal(1);
      expect(await count('limit=2&limit=%2B1')).to.equal(1);
      expect(await count('limit=%201%20&unknown=&unknown=%00')).to.equal(1);
      for (const [query, type] of [
        ['limit=1&limit=', 'int_parsing'],
        ['limit=0', 'greater_than_equal'],
        ['limit=101', 'less_than_equal'],
        ['offset=-1', 'greater_than_equal'],
        ['trashed=maybe', 'bool_parsing'],
        ['collection_id=', 'uuid_parsing'],
        ['doc_type=%FF', 'value_error'],
        ['kind=%00', 'value_error'],
      ] as const) {
        const { status, json } = await service.call('GET', `/v1/objects?${query}`);
        expect([status, json.detail?.[0]?.type], query).to.deep.equal([422, type]);
      }
    });

    it('JSON of at most 1 MiB, in any transfer coding', async () => {
      const filler = (size: number) =>
        JSON.stringify({ name: 'n', _: '' }).replace('""', `"${'x'.repeat(size - 19)}"`);
      expect(filler(MIB)).to.have.length(MIB);
      expect((await sendJson(filler(MIB))).status).to.equal(200);
      const chunked = (text: string) =>
        new ReadableStream({
          start: (out) => {
            for (let at = 0; at < text.length; at += 65_536)
              out.enqueue(Buffer.from(text.slice(at, at + 65_536)));
            out.close();
          },
        });
      const bomb = gzipSync(Buffer.alloc(200 * MIB, ' '));
      expect(bomb.length).to.be.below(MIB);
      for (const [what, send] of [
        ['too long', () => sendJson(filler(MIB + 1))],
        [
          'of no told length',
          () =>
            fetch(`${service.base}/v1/themes`, {
              method: 'POST',
              headers: {
                authorization: `Bearer ${service.token}`,
                'content-type': 'application/json',
              },
              body: chunked(filler(MIB + 1)),
              duplex: 'half',
            }).then(async (r) => ({
              status: r.status,
              json: (await r.json()) as { code: string },
            })),
        ],
        ['a bomb', () => sendJson(bomb, { 'content-encoding': 'gzip' })],
      ] as const) {
        const { status, json } = await send();
        expect([status, json.code], what).to.deep.equal([413, 'too_large']);
      }
      const small = await sendJson(gzipSync('{"name":"packed"}'), { 'content-encoding': 'gzip' });
      expect(small.json.name).to.equal('packed');
      await alive();
    });

    it('JSON after a byte order mark, also if the operation itself rejects a field', async () => {
      const send = (endsAt: string) =>
        service.call('POST', '/v1/calendar/events', {
          raw: `\ufeff${JSON.stringify({
            title: 'x',
            starts_at: '2026-01-05T09:00:00Z',
            ends_at: endsAt,
          })}`,
          headers: { 'content-type': 'application/json' },
        });
      expect((await send('2026-01-05T10:00:00Z')).status).to.equal(200);
      const refused = await send('2026-01-04T10:00:00Z');
      expect(refused.status, refused.text).to.equal(422);
      expect(refused.json.detail[0]).to.deep.include({
        loc: ['body', 'ends_at'],
        input: '2026-01-04T10:00:00Z',
      });
    });

    it('no malformed or too deeply nested JSON, and no text that a database cannot store', async () => {
      const deep = (levels: number) =>
        `{"name":"deep","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      expect((await sendJson(deep(64))).status).to.equal(200);
      for (const [body, type, loc] of [
        ['', 'missing', ['body']],
        ['null', 'missing', ['body']],
        ['[]', 'model_attributes_type', ['body']],
        ['"x"', 'model_attributes_type', ['body']],
        ['{"name":NaN}', 'json_invalid', ['body', 8]],
        ['{"name":"x","n":1e400}', 'json_invalid', ['body', 16]],
        [Buffer.from([0x7b, 0x22, 0xff]), 'json_invalid', undefined],
        [Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1'), 'json_invalid', undefined],
        [String.raw`{"name":"\ud800"}`, 'value_error', ['body', 'name']],
        [String.raw`{"name":"a\u0000b"}`, 'value_error', ['body', 'name']],
        [deep(65), 'value_error', ['body']],
      ] as const) {
        const { status, json } = await sendJson(body);
        expect([status, json.detail?.[0]?.type], String(body)).to.deep.equal([422, type]);
        if (loc) expect(json.detail[0].loc).to.deep.equal(loc);
        expect(json.detail).to.have.length(1);
      }
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', ''])
        expect(
          (await sendJson('{"name":"x"}', { 'content-type': type })).json.detail[0],
        ).to.deep.include({
          type: 'model_attributes_type',
          loc: ['body'],
        });
      for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json'])
        expect((await sendJson('{"name":"x"}', { 'content-type': type })).status).to.equal(200);
    });
  });

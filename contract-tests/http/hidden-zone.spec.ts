import { expect } from 'chai';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const PIN = '13\u{1F600}7';
const SECRET = 'The hidden treasure lies under the old walnut tree.';

for (const profile of profiles)
  describe(`${profile}: the hidden zone`, function () {
    this.timeout(60_000);
    let service: Service;
    /** Another owner in the same tenant. */
    let other: string;
    before(async () => {
      service = await startService(profile);
      other = (await service.newOwner()).token;
    });
    after(() => service.dispose());

    const call = (method: string, path: string, body?: object, unlock?: string): Promise<Answer> =>
      service.call(method, `/v1${path}`, {
        ...(body && { body }),
        ...(unlock !== undefined && { headers: { 'x-hidden-token': unlock } }),
      });
    const reported = ({ status, json }: Answer) => [status, json.code];
    const setPin = (pin: string, more: object = {}) =>
      call('POST', '/hidden-pin', { pin, ...more });
    const unlock = (pin: string) => call('POST', '/hidden-pin/unlock', { pin });
    const removePin = (pin: string) => call('DELETE', '/hidden-pin', { pin });
    const state = async (token?: string) =>
      (await call('GET', '/hidden-pin', undefined, token)).json;
    const OPEN = { configured: true, unlocked: true, locked_until: null };
    const CLOSED = { configured: true, unlocked: false, locked_until: null };
    const UNSET = { configured: false, unlocked: false, locked_until: null };

    describe('has a PIN that', () => {
      it('is set, changed and removed; each ends the earlier unlock tokens', async () => {
        expect(await state()).to.deep.equal(UNSET);
        expect(reported(await unlock(PIN))).to.deep.equal([409, 'not_configured']);
        expect(reported(await removePin(PIN))).to.deep.equal([409, 'not_configured']);
        const set = await setPin(PIN);
        expect(set.json).to.deep.equal({ token: set.json.token, expires_in: 900 });
        expect(await state(set.json.token)).to.deep.equal(OPEN);
        expect(await state()).to.deep.equal(CLOSED);
        const again = (await unlock(PIN)).json.token;
        expect(again).not.to.equal(set.json.token);

        for (const old of [{}, { old_pin: null }, { old_pin: 'wrong' }])
          expect(reported(await setPin('2468', old))).to.deep.equal([403, 'wrong_pin']);
        expect((await unlock('2468')).status).to.equal(403);
        expect(await state(again), 'a refusal ends nothing').to.deep.equal(OPEN);
        const changed = await setPin('2468', { old_pin: PIN });
        expect(changed.status).to.equal(200);
        for (const token of [set.json.token, again])
          expect(await state(token)).to.deep.equal(CLOSED);
        expect(await state(changed.json.token)).to.deep.equal(OPEN);
        expect(reported(await unlock(PIN))).to.deep.equal([403, 'wrong_pin']);

        const locked = await call('POST', '/hidden-pin/lock');
        expect(locked.status).to.equal(200);
        expect(await state(changed.json.token)).to.deep.equal(CLOSED);
        expect(reported(await removePin(PIN))).to.deep.equal([403, 'wrong_pin']);
        expect((await removePin('2468')).status).to.equal(200);
        expect(await state()).to.deep.equal(UNSET);
      });

      it('has 4 to 12 characters, and is never returned', async () => {
        for (const pin of ['', '123', 'x'.repeat(13), 1357, '12\u00003456']) {
          const { status, json, text } = await call('POST', '/hidden-pin', { pin });
          expect(status).to.equal(422);
          expect(json.detail[0].loc).to.deep.equal(['body', 'pin']);
          expect(json.detail[0]).not.to.have.property('input');
          if (String(pin).length > 3) expect(text).not.to.include(String(pin));
        }
        for (const pin of ['\u{1F600}'.repeat(12), 'abcd']) {
          expect((await setPin(pin)).status).to.equal(200);
          expect((await removePin(pin)).status).to.equal(200);
        }
      });

      it('locks for 15 minutes after five wrong attempts at any endpoint, also across a restart', async () => {
        const { token } = (await setPin(PIN)).json;
        for (let i = 0; i < 4; i++) expect((await unlock('0000')).status).to.equal(403);
        expect((await unlock(PIN)).status, 'a right one takes the count back').to.equal(200);
        for (const wrong of [
          await unlock('0000'),
          await setPin('2468', { old_pin: '0000' }),
          await setPin('2468'),
          await removePin('0000'),
          await unlock('0000'),
          await unlock('0000'),
        ])
          expect(reported(wrong)).to.deep.equal([403, 'wrong_pin']);
        const expectLocked = async () => {
          for (const refused of [
            await unlock(PIN),
            await setPin('2468', { old_pin: PIN }),
            await removePin(PIN),
          ]) {
            expect(reported(refused)).to.deep.equal([429, 'rate_limited']);
            expect(Number(refused.headers.get('retry-after'))).to.be.within(800, 900);
          }
          const { locked_until: until, configured } = await state();
          expect(configured).to.equal(true);
          expect(Date.parse(until) - Date.now()).to.be.closeTo(850_000, 60_000);
        };
        await expectLocked();
        expect((await state(token)).unlocked, 'who is in stays in').to.equal(true);
        const theirs = { token: other, body: { pin: '8642' } };
        expect((await service.call('POST', '/v1/hidden-pin', theirs)).status).to.equal(200);
        service = await service.restart('SIGKILL');
        await expectLocked();
        expect((await state(token)).unlocked).to.equal(true);
      });

      it('gives a hundred concurrent guesses five attempts between them', async () => {
        const { token } = await service.newOwner();
        const guess = (pin: string) =>
          service.call('POST', '/v1/hidden-pin/unlock', { token, body: { pin } });
        await service.call('POST', '/v1/hidden-pin', { token, body: { pin: PIN } });
        const answers = await Promise.all(
          Array.from({ length: 30 }, (_, i) => guess(String(1000 + i))),
        );
        expect(answers.filter(({ status }) => status === 403)).to.have.length(5);
        expect(answers.filter(({ status }) => status === 429)).to.have.length(25);
        expect((await guess(PIN)).status).to.equal(429);
      });
    });

    describe('without a PIN', () => {
      it('only excludes hidden objects from lists, searches and answers', async () => {
        const { token } = await service.newOwner();
        const as = (method: string, path: string, body?: object) =>
          service.call(method, `/v1${path}`, { token, ...(body && { body }) });
        const { id } = (await as('POST', '/objects/notes', { content: SECRET, is_hidden: true }))
          .json;
        await service.settled(id, { token });
        expect((await as('GET', `/objects/${id}`)).json.is_hidden).to.equal(true);
        expect((await as('GET', `/objects/${id}/text`)).json.text).to.equal(SECRET);
        for (const [query, total] of [
          ['/objects?', 0],
          ['/objects?include_hidden=1', 1],
          ['/objects?hidden_only=1', 1],
          ['/search?q=treasure', 0],
          ['/search?q=treasure&include_hidden=1', 1],
        ] as const)
          expect((await as('GET', query)).json.total, query).to.equal(total);
        const question = 'Where does the treasure lie?';
        const requested = (await as('POST', '/ask', { question })).json;
        expect([requested.citations, requested.coverage.searched]).to.deep.equal([[], 0]);
        const named = (await as('POST', '/ask', { question, object_ids: [id] })).json;
        expect(named.citations[0].object_id).to.equal(id);
      });
    });

    describe('with a PIN', () => {
      let token: string;
      let open: string;
      let hidden: string;
      let trashed: string;
      let shown: string;
      let folder: string;
      const as = (method: string, path: string, body?: object, key?: string): Promise<Answer> =>
        service.call(method, `/v1${path}`, {
          token,
          ...(body && { body }),
          ...(key !== undefined && { headers: { 'x-hidden-token': key } }),
        });
      const note = async (body: object): Promise<string> => {
        const { json } = await as('POST', '/objects/notes', body, open);
        await service.settled(json.id, { token, headers: { 'x-hidden-token': open } });
        return json.id;
      };
      before(async () => {
        ({ token } = await service.newOwner());
        open = (await as('POST', '/hidden-pin', { pin: PIN })).json.token;
        folder = (await as('POST', '/collections', { name: 'F' })).json.id;
        shown = await note({ content: 'The walnut tree is old.', collection_id: folder });
        hidden = await note({ content: SECRET, is_hidden: true, collection_id: folder });
        trashed = await note({ content: 'Hidden treasure map.', is_hidden: true });
        await as('DELETE', `/objects/${trashed}`, undefined, open);
      });

      /** Every operation on an object by its id. */
      const OPERATIONS: readonly (readonly [method: string, path: string, body?: object])[] = [
        ['GET', ''],
        ['PATCH', '', { filename: 'x.md' }],
        ['PATCH', '', { is_hidden: false }],
        ['GET', '/content'],
        ['GET', '/content?version=1'],
        ['PUT', '/content', { content: 'x', base_version: 1 }],
        ['GET', '/text'],
        ['PUT', '/text', { text: 'x', base_version: 1 }],
        ['DELETE', '/text'],
        ['GET', '/versions'],
        ['POST', '/versions/1/restore'],
        ['PUT', '/collection', { collection_id: null }],
        ['POST', '/restore'],
        ['DELETE', ''],
        ['DELETE', '?permanent=1'],
      ];

      it('a hidden object is missing on every route, byte for byte, and cannot be changed', async () => {
        const look = async (id: string) =>
          (await as('GET', `/objects/${id}`, undefined, open)).text;
        for (const id of [hidden, trashed]) {
          const before = await look(id);
          for (const [method, path, body] of OPERATIONS)
            for (const key of [undefined, 'x', `${open.slice(0, -1)}_`]) {
              const [locked, missing] = [
                await as(method, `/objects/${id}${path}`, body, key),
                await as(method, `/objects/${MISSING}${path}`, body, key),
              ];
              expect(locked.status, `${method} ${path}`).to.equal(404);
              expect(locked.text).to.equal(missing.text);
              expect([...locked.headers.keys()]).to.deep.equal([...missing.headers.keys()]);
              expect(locked.headers.get('content-length')).to.equal(
                missing.headers.get('content-length'),
              );
            }
          expect(await look(id)).to.equal(before);
        }
        const raw = new FormData();
        raw.append('file', new Blob(['x']), 'x.md');
        raw.append('base_version', '1');
        const sent = await service.call('POST', `/v1/objects/${hidden}/content`, { token, raw });
        expect(reported(sent)).to.deep.equal([404, 'not_found']);
        for (const body of [
          { question: 'x', object_ids: [hidden] },
          { question: 'x', object_ids: [shown, hidden] },
        ])
          expect(reported(await as('POST', '/ask', body))).to.deep.equal([404, 'not_found']);
      });

      it('lists, counts, searches and answers exclude it, and include it once unlocked', async () => {
        for (const [path, locked, unlocked] of [
          ['/objects', 1, 1],
          ['/objects?include_hidden=1', 1, 2],
          [`/objects?include_hidden=1&collection_id=FOLDER`, 1, 2],
          ['/objects?trashed=1', 0, 0],
          ['/objects?trashed=1&include_hidden=1', 0, 1],
          ['/search?q=treasure&include_hidden=1', 0, 1],
          ['/search?q=-nothing&include_hidden=1', 1, 2],
        ] as const) {
          const at = path.replace('FOLDER', folder);
          expect((await as('GET', at)).json.total, path).to.equal(locked);
          expect((await as('GET', at, undefined, open)).json.total, path).to.equal(unlocked);
        }
        for (const path of ['/objects?hidden_only=1', '/search?q=x&hidden_only=1']) {
          expect(reported(await as('GET', path))).to.deep.equal([403, 'hidden_locked']);
          expect((await as('GET', path, undefined, open)).status).to.equal(200);
        }
        const question = 'Where does the treasure lie?';
        const blind = (await as('POST', '/ask', { question })).json;
        expect(blind.coverage).to.deep.equal({ searched: 1, unread: 0 });
        expect(JSON.stringify(blind)).not.to.match(/treasure/i);
        const seeing = (await as('POST', '/ask', { question }, open)).json;
        expect(seeing.citations[0].object_id).to.equal(hidden);
        expect(seeing.coverage).to.deep.equal({ searched: 2, unread: 0 });
      });

      it('old chats about it are missing until it is unlocked', async () => {
        const question = 'Where does the treasure lie?';
        const requested = (await as('POST', '/ask', { question }, open)).json;
        const path = `/chats/${requested.session_id}`;
        const turn = { content: 'And this?', attachments: [hidden, shown] };
        await as('POST', `${path}/turns`, turn, open);
        expect((await as('GET', path)).status).to.equal(404);
        expect((await as('PATCH', path, { pinned: true })).status).to.equal(404);
        const { json } = await as('GET', path, undefined, open);
        expect(json.messages[1].citations).to.deep.equal(requested.citations);
        expect(json.messages[2].attachments).to.have.length(2);
        expect(json.pinned).to.equal(false);
      });

      it('changing, trashing and deleting hidden objects changes no ETag and no byte of a response', async () => {
        const paths = [
          '/objects?include_hidden=1',
          '/objects?trashed=1',
          '/collections',
          `/collections/${folder}`,
          '/themes?include_hidden=1',
          '/search?q=walnut%20tree%20treasure',
          `/objects/${shown}`,
          '/hidden-pin',
        ];
        const look = async () =>
          JSON.stringify(
            await Promise.all(
              paths.map(async (path) => {
                const { text, headers } = await as('GET', path);
                expect(headers.get('etag'), path).not.to.equal(null);
                return [text, headers.get('etag')];
              }),
            ),
          );
        const before = await look();
        const another = await note({
          content: 'walnut tree treasure '.repeat(50),
          is_hidden: true,
          collection_id: folder,
        });
        expect(await look()).to.equal(before);
        for (const [method, path, body] of [
          ['PATCH', '', { filename: 'walnut.md' }],
          ['PUT', '/content', { content: 'tree', base_version: 1 }],
          ['PUT', '/collection', { collection_id: null }],
          ['DELETE', '', undefined],
          ['POST', '/restore', undefined],
          ['DELETE', '?permanent=1', undefined],
        ] as const) {
          expect((await as(method, `/objects/${another}${path}`, body, open)).status).to.equal(200);
          expect(await look(), `${method} ${path}`).to.equal(before);
        }
      });

      it('hidden bytes count as new while the zone is locked', async () => {
        const up = async (on: string, key?: string) =>
          service.uploadAll(
            [['same.md', SECRET]],
            { on_duplicate: on },
            { token, ...(key !== undefined && { headers: { 'x-hidden-token': key } }) },
          );
        expect(reported(await up('reject', open))).to.deep.equal([409, 'already_exists']);
        expect((await up('return', open)).json.items[0]).to.deep.include({
          duplicate: true,
          id: hidden,
        });
        const blind = (await up('return')).json.items[0];
        expect(blind).to.deep.include({ duplicate: false, is_hidden: false });
        await as('DELETE', `/objects/${blind.id}?permanent=1`);
        expect((await as('GET', `/objects/${hidden}/content`, undefined, open)).text).to.equal(
          SECRET,
        );
      });

      it('hidden objects are not deleted: emptying the trash or a folder leaves them', async () => {
        const inside = await note({ content: 'kept', is_hidden: true, collection_id: folder });
        expect((await as('DELETE', '/objects/trash')).status).to.equal(200);
        expect((await as('DELETE', `/collections/${folder}?objects=trash`)).status).to.equal(200);
        const card = async (id: string) =>
          (await as('GET', `/objects/${id}`, undefined, open)).json;
        expect((await card(inside)).deleted_at).to.equal(null);
        expect((await card(trashed)).id).to.equal(trashed);
        await as('DELETE', '/objects/trash', undefined, open);
        expect((await card(trashed)).code).to.equal('not_found');
      });

      it('an unlock token of another owner has no effect', async () => {
        const theirs = (
          await service.call('POST', '/v1/hidden-pin/unlock', {
            token: other,
            body: { pin: '8642' },
          })
        ).json.token;
        expect(theirs).to.be.a('string');
        expect((await as('GET', `/objects/${hidden}`, undefined, theirs)).status).to.equal(404);
        expect((await as('GET', '/hidden-pin', undefined, theirs)).json.unlocked).to.equal(false);
        const foreign = { token: other, headers: { 'x-hidden-token': open } };
        expect((await service.call('GET', `/v1/objects/${hidden}`, foreign)).status).to.equal(404);
        expect((await as('POST', '/hidden-pin/lock')).status).to.equal(200);
        expect((await as('GET', `/objects/${hidden}`, undefined, open)).status).to.equal(404);
        const again = (await as('POST', '/hidden-pin/unlock', { pin: PIN })).json.token;
        expect((await as('GET', `/objects/${hidden}`, undefined, again)).status).to.equal(200);
      });
    });

    it('locks when the unlock token expires', async () => {
      const brief = await startService(profile, { UNLOCK_SECONDS: '1' });
      try {
        const body = { pin: PIN };
        const { token, expires_in } = (await brief.call('POST', '/v1/hidden-pin', { body })).json;
        expect(expires_in).to.equal(1);
        const headers = { 'x-hidden-token': token };
        const unlocked = async (): Promise<boolean> =>
          (await brief.call('GET', '/v1/hidden-pin', { headers })).json.unlocked;
        expect(await eventually(unlocked, (open) => !open)).to.equal(false);
        const listed = await brief.call('GET', '/v1/objects?hidden_only=1', { headers });
        expect(reported(listed)).to.deep.equal([403, 'hidden_locked']);
      } finally {
        await brief.dispose();
      }
    });
  });

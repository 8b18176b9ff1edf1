import { expect } from 'chai';
import { twoColours } from '../samples/pictures.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const PIN = '48151623';
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly read: boolean;
  readonly read_at: string | null;
  readonly created_at: string;
}
interface Listed {
  readonly items: readonly Item[];
  readonly unread: number;
  readonly total: number;
}

for (const profile of profiles)
  describe(`${profile}: notifications`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile);
    });
    after(() => service.dispose());

    /** An owner with so many read notes, and the requests made as that owner. */
    async function owner(notes = 0) {
      const { token } = await service.newOwner();
      const call = (
        method: string,
        path: string,
        body?: unknown,
        headers: Readonly<Record<string, string>> = {},
      ): Promise<Answer> =>
        service.call(method, `/v1${path}`, {
          token,
          headers,
          ...(body !== undefined && { body }),
        });
      const note = async (content: string, more: object = {}, headers = {}): Promise<string> => {
        const { json } = await call('POST', '/objects/notes', { content, ...more }, headers);
        await service.settled(json.id as string, { token, headers });
        return json.id as string;
      };
      const list = async (query = '', headers = {}): Promise<Listed> =>
        (await call('GET', `/notifications${query}`, undefined, headers)).json as Listed;
      const objects: string[] = [];
      for (let i = 0; i < notes; i++) objects.push(await note(`Note number ${i}`));
      return { token, call, note, list, objects };
    }
    /** A picture that was turned, and that a visitor has opened by a link, and a file that can not be read. */
    async function sharedPicture(token: string, name: string): Promise<readonly string[]> {
      const call = (method: string, path: string, body?: object) =>
        service.call(method, `/v1${path}`, { token, ...(body && { body }) });
      const picture = await twoColours(60).png().toBuffer();
      const sent = await service.uploadAll(
        [
          [name, picture],
          [name.replace('.png', '.pdf'), '%PDF-1.7 and nothing more'],
        ],
        {},
        { token },
      );
      const ids = (sent.json.items as { id: string }[]).map(({ id }) => id);
      for (const id of ids) await service.settled(id, { token });
      const [id = ''] = ids;
      await call('POST', `/objects/${id}/image/rotate`, { angle: 90 });
      const share = { kind: 'file', resource_id: id, name };
      const { json } = await call('POST', '/shares', share);
      await service.call('GET', `/v1/public/shares/${json.token}`, { token: null });
      return ids;
    }
    const conditionOf = (answer: Answer) => ({ 'if-none-match': answer.headers.get('etag') ?? '' });

    it('report processed objects, newest first, with the count of unread ones', async () => {
      const { list, objects, note } = await owner(2);
      const { items, unread, total } = await list();
      expect([unread, total]).to.deep.equal([2, 2]);
      expect(items.map(({ payload }) => payload['object_id'])).to.deep.equal(objects.toReversed());
      const [first] = items;
      expect(Object.keys(first ?? {})).to.have.members(
        'id kind title body payload read read_at created_at'.split(' '),
      );
      expect(first).to.deep.include({
        kind: 'object.ready',
        title: 'Note number 1.md is ready',
        payload: { object_id: objects[1], filename: 'Note number 1.md' },
        read: false,
        read_at: null,
      });
      expect(first?.id).to.match(UUID);
      expect(first?.created_at).to.match(INSTANT);
      expect(first?.body).to.match(/\.$/);
      await note('One more');
      expect((await list()).items[0]?.title).to.equal('One more.md is ready');
    });

    it('report a file that could not be read', async () => {
      const { token } = await owner();
      const form = new FormData();
      form.append('file', new Blob(['%PDF-1.7 and nothing more']), 'broken.pdf');
      const up = await service.call('POST', '/v1/uploads', { token, raw: form });
      const id = up.json.items[0].id as string;
      const { error, error_code: code } = await service.settled(id, { token });
      expect(code).to.equal('damaged');
      const { json } = await service.call('GET', '/v1/notifications', { token });
      expect(json.items[0]).to.deep.include({
        kind: 'object.failed',
        title: 'broken.pdf could not be read',
        body: error,
        payload: {
          object_id: id,
          filename: 'broken.pdf',
          failure: 'unread',
          error_code: 'damaged',
          error_fact: '',
        },
      });
    });

    it('bring no name of a hidden object while the zone is locked', async () => {
      const { token, call, list } = await owner();
      const shared = await sharedPicture(token, 'nymph-7319.png');
      await eventually(list, ({ items }) =>
        ['share.opened', 'image.done', 'object.failed'].every((kind) =>
          items.some((each) => each.kind === kind),
        ),
      );
      const payloads = (await list()).items.map(({ payload }) => JSON.stringify(payload));
      expect(payloads.filter((each) => each.includes('nymph-7319'))).to.have.length.above(2);
      await call('POST', '/hidden-pin', { pin: PIN });
      const unlocked = (await call('POST', '/hidden-pin/unlock', { pin: PIN })).json
        .token as string;
      const headers = { 'x-hidden-token': unlocked };
      await call('POST', '/objects/bulk', { action: 'hide', ids: shared }, headers);
      const open = await list('', headers);
      await call('POST', '/hidden-pin/lock', {});
      const locked = await call('GET', '/notifications');
      expect(locked.text).not.to.include('nymph');
      for (const id of shared) expect(locked.text).not.to.include(id);
      expect(JSON.stringify(open)).to.include('nymph-7319');
      expect(open.total - (locked.json as Listed).total).to.equal(payloads.length);
      const events = await call('GET', '/security-events');
      expect(events.text).not.to.include('nymph');
    });

    it('report a finished reorganization', async () => {
      const { call, list } = await owner();
      const { json } = await call('POST', '/objects/reorganize', { dry_run: true });
      const reported = await eventually(list, ({ total }) => total > 0);
      expect(reported.items[0]).to.deep.include({
        kind: 'reorganize.done',
        payload: { task_id: json.task_id, moved: 0, total: 0, dry_run: true },
      });
    });

    it('are paged, and filtered by unread', async () => {
      const { call, list } = await owner(5);
      const all = await list();
      const ids = ({ items }: Listed) => items.map(({ id }) => id);
      const paged = [];
      for (const offset of [0, 2, 4, 6]) {
        const page = await list(`?limit=2&offset=${offset}`);
        expect([page.unread, page.total]).to.deep.equal([5, 5]);
        paged.push(...ids(page));
      }
      expect(paged).to.deep.equal(ids(all));
      const some = ids(all).slice(1, 3);
      const after = (await call('POST', '/notifications/read', { ids: some })).json as Listed;
      expect([after.unread, after.total]).to.deep.equal([3, 5]);
      expect(ids(after)).to.deep.equal(ids(all));
      for (const { id, read, read_at: at } of after.items) {
        expect(read).to.equal(some.includes(id));
        if (read) expect(at).to.match(INSTANT);
        else expect(at).to.equal(null);
      }
      const unread = await list('?unread=true&limit=2');
      expect([unread.unread, unread.total, ids(unread)]).to.deep.equal([
        3,
        3,
        [all.items[0]?.id, all.items[3]?.id],
      ]);
      for (const off of ['?unread=false', '?unread=0', ''])
        expect((await list(off)).total).to.equal(5);
    });

    it('are all marked as read by an empty list, or by none', async () => {
      for (const body of [{ ids: [] }, {}, { ids: null }]) {
        const { call, list } = await owner(2);
        const { json } = await call('POST', '/notifications/read', body);
        expect([json.unread, json.total]).to.deep.equal([0, 2]);
        const before = (await list()).items;
        await call('POST', '/notifications/read', body);
        expect((await list()).items, 'the moment stays').to.deep.equal(before);
        expect((await list('?unread=yes')).items).to.deep.equal([]);
      }
    });

    it('ignore unknown or foreign ids, and reject invalid ones', async () => {
      const [mine, theirs] = [await owner(1), await owner(1)];
      const foreign = (await theirs.list()).items[0]?.id;
      const before = (await mine.call('GET', '/notifications')).headers.get('etag');
      const read = (body: unknown) => mine.call('POST', '/notifications/read', body);
      expect((await read({ ids: [MISSING, foreign] })).json.unread).to.equal(1);
      expect((await theirs.list()).unread).to.equal(1);
      expect((await mine.call('GET', '/notifications')).headers.get('etag')).to.equal(before);
      for (const [body, loc, type] of [
        [{ ids: ['x'] }, ['body', 'ids', 0], 'uuid_parsing'],
        [{ ids: [MISSING, 7] }, ['body', 'ids', 1], 'uuid_type'],
        [{ ids: MISSING }, ['body', 'ids'], 'list_type'],
        [{ ids: Array.from({ length: 1_001 }, () => MISSING) }, ['body', 'ids'], 'too_long'],
        [[], ['body'], 'model_attributes_type'],
      ] as const) {
        const { status, json } = await read(body);
        expect([status, json.detail[0].loc, json.detail[0].type]).to.deep.equal([422, loc, type]);
      }
      const [id = ''] = (await mine.list()).items.map((each) => each.id);
      const many = Array.from({ length: 1_000 }, () => id.toUpperCase().replaceAll('-', ''));
      expect((await read({ ids: many })).json.unread).to.equal(0);
    });

    it('enforce the limits of a page', async () => {
      const { call } = await owner();
      for (const [query, type] of [
        ['limit=0', 'greater_than_equal'],
        ['limit=201', 'less_than_equal'],
        ['limit=', 'int_parsing'],
        ['offset=-1', 'greater_than_equal'],
        ['unread=maybe', 'bool_parsing'],
      ]) {
        const { status, json } = await call('GET', `/notifications?${query}`);
        expect([status, json.detail[0].type], query).to.deep.equal([422, type]);
      }
      for (const query of ['limit=1', 'limit=200', 'offset=99', 'unread=ON&other=1'])
        expect((await call('GET', `/notifications?${query}`)).status, query).to.equal(200);
    });

    it('are removed permanently; a foreign one is like a missing one', async () => {
      const [mine, theirs] = [await owner(2), await owner(1)];
      const [id = ''] = (await mine.list()).items.map((each) => each.id);
      const foreign = await theirs.call('DELETE', `/notifications/${id}`);
      const missing = await theirs.call('DELETE', `/notifications/${MISSING}`);
      expect([foreign.status, foreign.text]).to.deep.equal([404, missing.text]);
      const gone = await mine.call('DELETE', `/notifications/${id}`);
      expect([gone.status, gone.json]).to.deep.equal([200, { deleted: true }]);
      expect((await mine.call('DELETE', `/notifications/${id}`)).status).to.equal(404);
      const { items, unread, total } = await mine.list();
      expect([items.map((each) => each.id).includes(id), unread, total]).to.deep.equal([
        false,
        1,
        1,
      ]);
      expect((await mine.call('DELETE', '/notifications/x')).status).to.equal(422);
      expect((await mine.call('GET', `/notifications/${id}`)).status).to.equal(405);
    });

    it('are consistent after fifty concurrent reads and deletions', async () => {
      const { call, list } = await owner(10);
      const ids = (await list()).items.map(({ id }) => id);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => {
          const id = ids[i % 10] ?? '';
          return i % 3 === 0 && i % 10 < 5
            ? call('DELETE', `/notifications/${id}`)
            : call('POST', '/notifications/read', { ids: [id] });
        }),
      );
      const gone = answers.filter(({ json }) => json.deleted);
      expect(gone).to.have.length(5);
      for (const { status } of answers) expect([200, 404]).to.include(status);
      const left = await list();
      expect([left.items.length, left.total, left.unread]).to.deep.equal([5, 5, 0]);
      const { checks } = await service.cli('doctor');
      const looked = checks.filter(({ name }: { name: string }) => /notification/.test(name));
      expect(looked.map(({ count }: { count: number }) => count)).to.deep.equal([0, 0, 0]);
    });

    it('are stored across a restart', async () => {
      const { list, call } = await owner(2);
      const before = await call('GET', '/notifications');
      service = await service.restart('SIGKILL');
      expect(await list()).to.deep.equal(before.json);
      const again = await call('GET', '/notifications', undefined, conditionOf(before));
      expect(again.status).to.equal(304);
    });

    describe('when polled', () => {
      it('get 304 while nothing changed, and a new response after every change', async () => {
        const { call, note, objects, list } = await owner(3);
        const ids = (await list()).items.map(({ id }) => id);
        let last = await call('GET', '/notifications');
        const etag = last.headers.get('etag') ?? '';
        expect(etag).to.match(/^W\/"[\w-]+"$/);
        for (const [method, condition] of [
          ['GET', etag],
          ['HEAD', etag],
          ['GET', etag.slice(2)],
          ['GET', `"other", ${etag} , "more"`],
          ['GET', '*'],
        ] as const) {
          const same = await call(method, '/notifications', undefined, {
            'if-none-match': condition,
          });
          expect([same.status, same.text], condition).to.deep.equal([304, '']);
          expect(same.headers.get('etag')).to.equal(etag);
          for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'x-request-id'])
            expect(same.headers.get(name), name).to.be.a('string');
          expect(same.headers.get('cache-control')).to.equal(last.headers.get('cache-control'));
        }
        for (const condition of ['"other"', 'W/"x"', etag.replace('W/"', 'W/"x'), ''])
          expect(
            (await call('GET', '/notifications', undefined, { 'if-none-match': condition })).status,
          ).to.equal(200);
        const head = await call('HEAD', '/notifications');
        expect([head.status, head.headers.get('etag')]).to.deep.equal([200, etag]);
        for (const change of [
          () => note('Something new'),
          () => call('POST', '/notifications/read', { ids: [ids[0]] }),
          () => call('DELETE', `/notifications/${ids[1]}`),
          () => call('PATCH', `/objects/${objects[0]}`, { is_hidden: true }),
          () => call('DELETE', `/objects/${objects[2]}?permanent=true`),
          () => call('POST', '/notifications/read', {}),
        ]) {
          await change();
          const next = await call('GET', '/notifications', undefined, conditionOf(last));
          expect(next.status, String(change)).to.equal(200);
          last = next;
          const same = await call('GET', '/notifications', undefined, conditionOf(last));
          expect(same.status).to.equal(304);
        }
      });

      it('count towards the rate limit, also with 304', async () => {
        const { token } = await service.newOwner('free');
        const poll = (headers = {}) => service.call('GET', '/v1/notifications', { token, headers });
        const first = await poll();
        const left = Number(first.headers.get('ratelimit-remaining'));
        const second = await poll(conditionOf(first));
        expect(second.status).to.equal(304);
        // A new minute may have begun in between.
        if (second.headers.get('ratelimit-reset') !== '60')
          expect(Number(second.headers.get('ratelimit-remaining'))).to.be.within(left - 1, 59);
        const statuses = new Set<number>();
        for (let i = 0; i < 130; i++) statuses.add((await poll(conditionOf(first))).status);
        expect([...statuses]).to.have.members([304, 429]);
      });

      it('are the same on the fast path and through Express', async () => {
        const { call } = await owner(1);
        const tag = conditionOf(await call('GET', '/notifications?limit=5'));
        const short = await call('GET', '/notifications?limit=5', undefined, tag);
        // A page of another origin is answered by the whole edge.
        const long = await call('GET', '/notifications?limit=5', undefined, {
          ...tag,
          origin: 'https://elsewhere.example',
        });
        expect([short.status, long.status]).to.deep.equal([304, 304]);
        const names = ({ headers }: Answer) => [...headers.keys()].sort();
        expect(names(short)).to.deep.equal(names(long));
        for (const name of ['etag', 'cache-control', 'content-security-policy'])
          expect(short.headers.get(name)).to.equal(long.headers.get(name));
      });

      it('have different ETags for pages, filters, owners', async () => {
        const [mine, theirs] = [await owner(1), await owner(1)];
        const tags = new Set<string | null>();
        const queries = ['', '?limit=1', '?limit=50', '?offset=1', '?unread=true', '?unread=false'];
        for (const { call } of [mine, theirs])
          for (const query of queries)
            tags.add((await call('GET', `/notifications${query}`)).headers.get('etag'));
        expect(tags.size).to.equal(2 * queries.length);
      });

      it('are rejected like every other request before the ETag is checked', async () => {
        const { call } = await owner(1);
        const any = { 'if-none-match': '*' };
        expect((await call('GET', '/notifications?limit=0', undefined, any)).status).to.equal(422);
        const unknown = await service.call('GET', '/v1/notifications', {
          token: 'owt_aaaaaaaa_x',
          headers: any,
        });
        expect([unknown.status, unknown.headers.get('etag')?.startsWith('W/"')]).to.deep.equal([
          401,
          true,
        ]);
      });
    });

    describe('of hidden objects', () => {
      /** With a PIN set, a note in sight and a hidden one. */
      async function zoned() {
        const me = await owner();
        const shown = await me.note('In the open');
        const { json } = await me.call('POST', '/hidden-pin', { pin: '1234' });
        const inside = { 'x-hidden-token': json.token as string };
        const hidden = await me.note('Under the stone', { is_hidden: true }, inside);
        return { ...me, shown, hidden, inside };
      }

      it('are concealed while the zone is locked, and visible once unlocked', async () => {
        const { call, list, shown, hidden, inside } = await zoned();
        const about = ({ items }: Listed) => items.map(({ payload }) => payload['object_id']);
        const [closed, open] = [await list(), await list('', inside)];
        expect([about(closed), closed.unread, closed.total]).to.deep.equal([[shown], 1, 1]);
        expect([about(open), open.unread, open.total]).to.deep.equal([[hidden, shown], 2, 2]);
        expect((await list('?unread=true', { 'x-hidden-token': 'guessed' })).total).to.equal(1);
        const id = open.items[0]?.id ?? '';
        const secret = await call('DELETE', `/notifications/${id}`);
        const missing = await call('DELETE', `/notifications/${MISSING}`);
        expect([secret.status, secret.text]).to.deep.equal([404, missing.text]);
        for (const ids of [[id], []]) {
          const { json, text } = await call('POST', '/notifications/read', { ids });
          expect(json.total).to.equal(1);
          expect(text).not.to.include('stone');
        }
        expect((await list('', inside)).items[0]).to.deep.include({ id, read: false });
        const read = await call('POST', '/notifications/read', { ids: [id] }, inside);
        expect([read.json.unread, read.json.total]).to.deep.equal([0, 2]);
        expect((await call('DELETE', `/notifications/${id}`, undefined, inside)).status).to.equal(
          200,
        );
        await call('POST', '/hidden-pin/lock');
        expect((await list('', inside)).total).to.equal(1);
      });

      it('do not affect ETags of a locked zone', async () => {
        const { call, note, list, hidden, inside } = await zoned();
        const before = await call('GET', '/notifications');
        const more = await note('Another secret', { is_hidden: true }, inside);
        const [latest] = (await list('', inside)).items;
        for (const change of [
          () => call('POST', '/notifications/read', { ids: [latest?.id] }, inside),
          () => call('DELETE', `/notifications/${latest?.id}`, undefined, inside),
          () => call('PATCH', `/objects/${hidden}`, { filename: 'x.md' }, inside),
          () => call('DELETE', `/objects/${hidden}`, undefined, inside),
          () => call('DELETE', `/objects/${hidden}?permanent=true`, undefined, inside),
          () => call('DELETE', `/objects/${more}?permanent=true`, undefined, inside),
        ]) {
          const { status } = await change();
          expect(status, String(change)).to.equal(200);
          const again = await call('GET', '/notifications');
          expect(again.text).to.equal(before.text);
          expect(again.headers.get('etag'), String(change)).to.equal(before.headers.get('etag'));
        }
      });

      it('have different ETags in a locked and an unlocked zone, so that no response is mistaken', async () => {
        const { call, inside } = await zoned();
        const open = await call('GET', '/notifications', undefined, inside);
        expect((await call('GET', '/notifications', undefined, conditionOf(open))).status).to.equal(
          200,
        );
        const closed = await call('GET', '/notifications');
        const within = { ...inside, ...conditionOf(closed) };
        expect((await call('GET', '/notifications', undefined, within)).status).to.equal(200);
        await call('POST', '/hidden-pin/lock');
        const locked = { ...inside, ...conditionOf(open) };
        expect((await call('GET', '/notifications', undefined, locked)).status).to.equal(200);
      });

      it('change visibility with is_hidden', async () => {
        const { call, list, shown, hidden, inside } = await zoned();
        await call('PATCH', `/objects/${hidden}`, { is_hidden: false }, inside);
        expect((await list()).total).to.equal(2);
        const ids = [shown, hidden];
        await call('POST', '/objects/bulk', { ids, action: 'hide' }, inside);
        expect(await list()).to.deep.equal({ items: [], unread: 0, total: 0 });
        expect((await list('', inside)).total).to.equal(2);
      });
    });
  });

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { nameKey, OBJECT_ORDERS, type ObjectOrder } from '../../ports/objects.ts';
import { boundToken } from './bound-token.ts';
import { profiles, type Answer, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const PIN = '2468';
/** More than the workspace has. */
const ALL = 100;

/** A card of the list, as far as the filters depend on it. */
interface Card {
  readonly id: string;
  readonly filename: string;
  readonly status: string;
  readonly size: number;
  readonly created_at: string;
  readonly categories: readonly string[];
  readonly collection_id: string | null;
  readonly suggested_name: string | null;
  readonly suggested_collection_id: string | null;
  readonly is_hidden: boolean;
}

type Filter = readonly [query: string, passes: (card: Card) => boolean];

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The orders that a card shows; it does not contain the time of the last change. */
const ORDERS: Partial<Record<ObjectOrder, (a: Card, b: Card) => number>> = {
  newest: (a, b) => byBytes(b.created_at, a.created_at) || byBytes(b.id, a.id),
  oldest: (a, b) => byBytes(a.created_at, b.created_at) || byBytes(a.id, b.id),
  name: (a, b) => byBytes(nameKey(a.filename), nameKey(b.filename)) || byBytes(a.id, b.id),
  largest: (a, b) => b.size - a.size || byBytes(b.id, a.id),
};

for (const profile of profiles)
  describe(`${profile}: the filters and orders of the list`, function () {
    this.timeout(120_000);
    let service: Served;
    let [theme, inTheme, outside] = ['', '', ''];
    let bearer = '';
    let middle = '';
    /** Of several notes: visible and hidden ones, in folders and in none. */
    const sameContent = '# lantern\n\nlight';
    const haveSame = new Set<string>();
    const same = createHash('sha256').update(sameContent).digest('hex');
    before(async () => {
      service = await sharedService(profile);
      const make = async (path: string, body: object) => {
        const { status, json } = await service.call('POST', path, { body });
        expect(status, JSON.stringify(json)).to.equal(200);
        return json.id as string;
      };
      await service.call('PUT', '/v1/settings', { body: { auto_rename_mode: 'suggest' } });
      theme = await make('/v1/themes', { name: 'Home' });
      inTheme = await make('/v1/collections', { name: 'Taxes', theme_id: theme });
      outside = await make('/v1/collections', { name: 'Out' });
      for (let n = 0; n < 12; n++) {
        const own = `# ${n % 2 ? 'lantern' : 'LANTERN'} ${(n * 5) % 12}\n\n${'light '.repeat(n * 3)}`;
        const content = [1, 4, 8, 9, 11].includes(n) ? sameContent : own;
        const folder = [inTheme, outside, undefined][n % 3];
        const id = await make('/v1/objects/notes', {
          content,
          ...(folder !== undefined && { collection_id: folder }),
          ...(n % 4 === 0 && { is_hidden: true }),
        });
        if (content === sameContent) haveSame.add(id);
        const categories = n % 2 ? ['Tax', 'Work'] : n % 3 ? ['tax'] : [];
        await service.call('PUT', `/v1/objects/${id}/categories`, { body: { categories } });
        if (n === 6)
          middle = (await service.call('GET', `/v1/objects/${id}`)).json.created_at as string;
      }
      await service.upload('scan0001.txt', 'Invoice No. 7\nLantern Ltd\nTotal: 12 EUR\n'.repeat(9));
      const { json } = await service.call('GET', `/v1/objects?limit=${ALL}&include_hidden=1`);
      for (const { id } of json.items) await service.settled(id);
      bearer = await boundToken(service, service.token, [inTheme, outside]);
    });

    const get = (query: string, token = service.token, headers = {}): Promise<Answer> =>
      service.call('GET', query, { token, headers });

    /** Every filter by itself, and some together. */
    const filters = (): readonly Filter[] => {
      const hasTheme: Filter[1] = ({ collection_id }) => collection_id === inTheme;
      const hasTax: Filter[1] = ({ categories }) =>
        categories.some((name) => name.toLowerCase() === 'tax');
      const suggests: Filter[1] = (card) =>
        card.suggested_name !== null || card.suggested_collection_id !== null;
      const isSame: Filter[1] = ({ id }) => haveSame.has(id);
      const isSameOutside: Filter[1] = (card) => isSame(card) && card.collection_id === outside;
      const from = `created_from=${encodeURIComponent(middle)}`;
      const to = `created_to=${encodeURIComponent(middle)}`;
      return [
        ['', () => true],
        ['status=ready', ({ status }) => status === 'ready'],
        ['status=failed', ({ status }) => status === 'failed'],
        [`theme_id=${theme}`, hasTheme],
        [`theme_id=${MISSING}`, () => false],
        [`theme_id=${theme}&collection_id=${outside}`, () => false],
        [`theme_id=${theme}&uncategorized=1`, () => false],
        ['category=TAX', hasTax],
        ['category=none', () => false],
        ['has_suggestion=true', suggests],
        ['has_suggestion=false', (card) => !suggests(card)],
        [`content_hash=${same.toUpperCase()}`, isSame],
        [`content_hash=${same}&collection_id=${outside}`, isSameOutside],
        [`content_hash=${'0'.repeat(64)}`, () => false],
        [from, ({ created_at }) => created_at >= middle],
        [to, ({ created_at }) => created_at < middle],
        [`${from}&${to}`, () => false],
        [`category=tax&theme_id=${theme}`, (card) => hasTax(card) && hasTheme(card)],
        [`${from}&status=ready&category=tax`, (card) => card.created_at >= middle && hasTax(card)],
        [`kind=note&collection_id=${outside}`, ({ collection_id }) => collection_id === outside],
      ];
    };

    /** Compares each filter and order with the unfiltered list of the same caller, whole and in pages. */
    const requireFilters = async (token?: string, headers = {}, more = '') => {
      const everything = await get(`/v1/objects?limit=${ALL}${more}`, token, headers);
      expect(everything.json.items).not.to.have.length(0);
      for (const [query, passes] of filters())
        for (const order of OBJECT_ORDERS) {
          const path = `/v1/objects?${query}${more}&order=${order}`;
          const expected = (everything.json.items as Card[]).filter(passes);
          const { status, json } = await get(`${path}&limit=${ALL}`, token, headers);
          expect([status, json.total], path).to.deep.equal([200, expected.length]);
          const ids = json.items.map(({ id }: Card) => id) as string[];
          const compare = ORDERS[order];
          const inOrder = expected.map(({ id }) => id);
          if (compare) expect(ids, path).to.deep.equal(expected.sort(compare).map(({ id }) => id));
          else expect(ids, path).to.have.members(inOrder);
          const walked: string[] = [];
          for (let cursor = ''; ;) {
            const page = (await get(`${path}&limit=5${cursor}`, token, headers)).json;
            expect(page.total, path).to.equal(expected.length);
            walked.push(...page.items.map(({ id }: Card) => id));
            if (page.next_cursor === null) break;
            cursor = `&cursor=${page.next_cursor}`;
          }
          expect(walked, path).to.deep.equal(ids);
        }
    };

    it('list exactly the matches, with exact totals and in order, by every cursor', () =>
      requireFilters());

    it('count hidden objects on request only', () =>
      requireFilters(undefined, {}, '&include_hidden=1'));

    it('show a token that is bound to folders these folders only', async () => {
      await requireFilters(bearer);
      const { json } = await get(`/v1/objects?theme_id=${theme}&limit=${ALL}`, bearer);
      for (const { collection_id } of json.items) expect(collection_id).to.equal(inTheme);
    });

    it('have an object with a suggestion and one without', async () => {
      for (const has of [true, false])
        expect((await get(`/v1/objects?has_suggestion=${has}`)).json.total).to.be.above(0);
    });

    it('have visible and hidden objects of one content, of which the trash has none', async () => {
      const total = async (more: string) =>
        (await get(`/v1/objects?content_hash=${same}${more}`)).json.total as number;
      expect([await total(''), await total('&include_hidden=1')]).to.deep.equal([3, 5]);
      const [card] = (await get(`/v1/objects?content_hash=${same}`)).json.items as Card[];
      await service.call('DELETE', `/v1/objects/${card!.id}`);
      expect([await total(''), await total('&trashed=1')]).to.deep.equal([2, 1]);
      await service.call('POST', `/v1/objects/${card!.id}/restore`);
      expect([await total(''), await total('&trashed=1')]).to.deep.equal([3, 0]);
    });

    it('find an object by its content as it is now, not as it was', async () => {
      const [, { id }] = (await get(`/v1/objects?content_hash=${same}`)).json.items as [Card, Card];
      const found = async (hash: string) =>
        ((await get(`/v1/objects?content_hash=${hash}`)).json.items as Card[]).map(
          (card) => card.id,
        );
      const path = `/v1/objects/${id}`;
      const before = (await get(path)).json as { version: number };
      const content = '# lantern\n\nlighter';
      const put = await service.call('PUT', `${path}/content`, {
        body: { content, base_version: before.version },
      });
      expect(put.status, put.text).to.equal(200);
      await service.settled(id);
      haveSame.delete(id);
      const changed = createHash('sha256').update(content).digest('hex');
      expect([await found(changed), (await found(same)).includes(id)]).to.deep.equal([[id], false]);
    });

    it('order by the last change', async () => {
      const [, second] = (await get('/v1/objects?order=oldest')).json.items as Card[];
      const filename = 'changed last.md';
      await service.call('PATCH', `/v1/objects/${second!.id}`, { body: { filename } });
      const [first] = (await get('/v1/objects?order=updated')).json.items as Card[];
      expect(first?.id).to.equal(second!.id);
    });

    it('narrow and order searches the same way', async () => {
      const search = '/v1/search?q=lantern&limit=100';
      const whole = await get(search);
      const cards = whole.json.items.map((hit: { object: Card }) => hit.object) as Card[];
      expect(cards).not.to.have.length(0);
      for (const [query, passes] of filters()) {
        const expected = cards.filter(passes);
        const hits = async (more: string) => {
          const { status, json } = await get(`${search}&${query}${more}`);
          expect([status, json.total], query + more).to.deep.equal([200, expected.length]);
          return json.items.map((hit: { object: Card }) => hit.object.id) as string[];
        };
        expect(await hits('')).to.have.members(expected.map(({ id }) => id));
        for (const order of OBJECT_ORDERS) {
          const compare = ORDERS[order];
          const ids = await hits(`&order=${order}`);
          if (compare) expect(ids).to.deep.equal(expected.sort(compare).map(({ id }) => id));
          const paged = [
            ...(await get(`${search}&${query}&order=${order}&limit=4`)).json.items,
            ...(await get(`${search}&${query}&order=${order}&limit=96&offset=4`)).json.items,
          ].map((hit: { object: Card }) => hit.object.id);
          expect(paged).to.deep.equal(ids);
        }
      }
    });

    it('reject malformed values, and a cursor of other filters or of another order', async () => {
      for (const [query, loc, type] of [
        ['status=lost', 'status', 'literal_error'],
        ['order=best', 'order', 'literal_error'],
        ['theme_id=x', 'theme_id', 'uuid_parsing'],
        ['category=', 'category', 'string_too_short'],
        [`category=${'x'.repeat(51)}`, 'category', 'string_too_long'],
        ['has_suggestion=maybe', 'has_suggestion', 'bool_parsing'],
        ['content_hash=', 'content_hash', 'string_pattern_mismatch'],
        [`content_hash=${'0'.repeat(63)}`, 'content_hash', 'string_pattern_mismatch'],
        [`content_hash=${'g'.repeat(64)}`, 'content_hash', 'string_pattern_mismatch'],
        ['created_from=yesterday', 'created_from', 'datetime_from_date_parsing'],
        ['created_to=2026-13-01', 'created_to', 'datetime_from_date_parsing'],
      ] as const) {
        const { status, json } = await get(`/v1/objects?${query}`);
        expect(status, query).to.equal(422);
        expect(json.detail[0], query).to.deep.include({ loc: ['query', loc], type });
        expect((await get(`/v1/search?q=x&${query}`)).status, query).to.equal(422);
      }
      const first = (await get('/v1/objects?limit=2&order=name&kind=note')).json;
      const cursor = `cursor=${first.next_cursor}`;
      expect((await get(`/v1/objects?${cursor}&order=name&kind=note`)).status).to.equal(200);
      const forged = Buffer.from(first.next_cursor as string, 'base64url')
        .toString()
        .replace(/"[^]*"/, '7');
      for (const query of [
        `${cursor}&kind=note`,
        `${cursor}&order=name`,
        `${cursor}&order=oldest&kind=note`,
        `${cursor}&order=name&kind=note&category=tax`,
        `cursor=${Buffer.from(forged).toString('base64url')}&order=name&kind=note`,
        `cursor=${Buffer.from(`7.${MISSING}`).toString('base64url')}`,
      ]) {
        const { status, json } = await get(`/v1/objects?${query}`);
        expect(status, query).to.equal(422);
        expect(json.detail, query).to.have.length(1);
        expect(json.detail[0]).to.deep.include({ loc: ['query', 'cursor'], type: 'value_error' });
      }
    });

    it('tell nothing of hidden objects and themes while the zone is locked', async () => {
      const answers = async () => {
        const all: unknown[] = [];
        for (const [query] of filters())
          for (const more of ['', '&include_hidden=1', '&order=name', '&order=largest'])
            for (const path of ['/v1/objects?', '/v1/search?q=lantern&'])
              all.push((await get(`${path}${query}${more}`)).json);
        return all;
      };
      await service.call('POST', '/v1/hidden-pin', { body: { pin: PIN } });
      const locked = await answers();
      const cards = (await get(`/v1/objects?include_hidden=1&limit=${ALL}`)).json.items as Card[];
      expect(cards.filter(({ is_hidden }) => is_hidden)).to.deep.equal([]);
      const unlocked = await service.call('POST', '/v1/hidden-pin/unlock', { body: { pin: PIN } });
      const headers = { 'x-hidden-token': unlocked.json.token as string };
      const hidden = (await get(`/v1/objects?hidden_only=1&limit=${ALL}`, undefined, headers)).json;
      expect(hidden.items).not.to.have.length(0);
      await requireFilters(undefined, headers, '&include_hidden=1');
      for (const { id } of hidden.items as Card[])
        await service.call('DELETE', `/v1/objects/${id}?permanent=true`, { headers });
      expect(await answers()).to.deep.equal(locked);
      const count = async (more = {}) =>
        (await get(`/v1/objects?theme_id=${theme}`, undefined, more)).json.total as number;
      const before = await count();
      await service.call('PATCH', `/v1/themes/${theme}`, { headers, body: { is_hidden: true } });
      expect([await count(), await count(headers)]).to.deep.equal([0, before]);
      expect(before).to.be.above(0);
    });
  });

import { expect } from 'chai';
import { boundToken } from './bound-token.ts';
import { profiles, type Answer, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const PIN = '2468';

for (const profile of profiles)
  describe(`${profile}: saved views`, function () {
    this.timeout(60_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });
    /** Each finds the workspace without views. */
    afterEach(async () => {
      for (const { id } of await listed()) await call('DELETE', `/views/${id}`);
    });

    const call = (method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
      service.call(method, `/v1${path}`, { headers, ...(body && { body }) });
    const listed = async () => (await call('GET', '/views')).json.items as { id: string }[];
    const view = async (body: object) => {
      const { status, json } = await call('POST', '/views', body);
      expect(status, JSON.stringify(json)).to.equal(200);
      return json;
    };
    const errors = ({ status, json }: Answer) => [
      status,
      ...json.detail.map(({ loc, type }: { loc: string[]; type: string }) => [...loc, type]),
    ];

    it('store every filter of the list, an order and a position', async () => {
      const filters = {
        doc_type: 'invoice',
        kind: 'pdf',
        is_link: false,
        collection_id: MISSING,
        uncategorized: false,
        include_hidden: true,
        hidden_only: false,
        trashed: false,
        notes_only: false,
        status: 'ready',
        theme_id: MISSING,
        category: 'Tax',
        has_suggestion: true,
        content_hash: '0123456789abcdef'.repeat(4),
        created_from: '2026-01-01T00:00:00.000Z',
        created_to: '2026-02-01T00:00:00.000Z',
      };
      const created = await view({ name: '  Bills ', filters, order: 'largest', position: 7 });
      expect(created).to.deep.equal({
        id: created.id,
        name: 'Bills',
        filters,
        order: 'largest',
        position: 7,
      });
      expect(await listed()).to.deep.equal([created]);
      const list = new URLSearchParams(
        Object.entries(filters).map(([k, v]): [string, string] => [k, String(v)]),
      );
      expect((await call('GET', `/objects?${list.toString()}`)).status).to.equal(200);
    });

    it('are changed field by field, and deleted', async () => {
      const created = await view({ name: 'Bills', filters: { status: 'ready' } });
      expect(created).to.deep.include({ order: 'newest', position: 0 });
      const path = `/views/${created.id}`;
      const renamed = await call('PATCH', path, { name: 'Invoices', order: null });
      expect(renamed.json).to.deep.equal({ ...created, name: 'Invoices' });
      const filters = { created_from: '2026-01-01T02:00:00+02:00' };
      const narrowed = await call('PATCH', path, { filters, order: 'name', position: 4 });
      expect(narrowed.json).to.deep.equal({
        ...renamed.json,
        filters: { created_from: '2026-01-01T00:00:00.000Z' },
        order: 'name',
        position: 4,
      });
      expect(await listed()).to.deep.equal([narrowed.json]);
      expect((await call('DELETE', path)).json).to.deep.equal({ deleted: true });
      for (const method of ['DELETE', 'PATCH']) {
        const { status, json } = await call(method, path, method === 'PATCH' ? {} : undefined);
        expect([status, json.code]).to.deep.equal([404, 'not_found']);
      }
      expect(await listed()).to.deep.equal([]);
    });

    it('are listed by position, then by creation; a new one follows all others', async () => {
      for (const [name, position] of [
        ['c', 5],
        ['a', 1],
        ['b', 5],
      ] as const)
        await view({ name, position });
      await view({ name: 'last' });
      const { json } = await call('GET', '/views');
      expect(json.total).to.equal(4);
      expect(
        json.items.map(({ name, position }: { name: string; position: number }) => [
          name,
          position,
        ]),
      ).to.deep.equal([
        ['a', 1],
        ['c', 5],
        ['b', 5],
        ['last', 6],
      ]);
    });

    it('reject unknown filters, and values that the list rejects, without a change', async () => {
      const stored = await view({ name: 'Stays', filters: { status: 'ready' } });
      const path = ['body', 'filters'];
      for (const [body, expected] of [
        [{ filters: { colour: 'red' } }, [[...path, 'colour', 'extra_forbidden']]],
        [
          { filters: { q: 'x', status: 'lost' } },
          [
            [...path, 'status', 'literal_error'],
            [...path, 'q', 'extra_forbidden'],
          ],
        ],
        [JSON.parse('{"filters":{"__proto__":1}}'), [[...path, '__proto__', 'extra_forbidden']]],
        [{ filters: { constructor: null } }, [[...path, 'constructor', 'extra_forbidden']]],
        [
          { filters: { created_from: 'soon' } },
          [[...path, 'created_from', 'datetime_from_date_parsing']],
        ],
        [{ filters: { theme_id: 'x' } }, [[...path, 'theme_id', 'uuid_parsing']]],
        [{ filters: [] }, [[...path, 'model_attributes_type']]],
        [{ order: 'best' }, [['body', 'order', 'literal_error']]],
        [{ position: -1 }, [['body', 'position', 'greater_than_equal']]],
        [{ position: 1.5 }, [['body', 'position', 'int_from_float']]],
        [{ name: ' ' }, [['body', 'name', 'string_too_short']]],
        [{ name: 'x'.repeat(121) }, [['body', 'name', 'string_too_long']]],
      ] as const) {
        const sent = { name: 'Rejected', ...(body as object) };
        expect(errors(await call('POST', '/views', sent))).to.deep.equal([422, ...expected]);
        const edit = await call('PATCH', `/views/${stored.id}`, body as object);
        expect(errors(edit)).to.deep.equal([422, ...expected]);
      }
      for (const [filters, code] of [
        [{ kind: 'zip' }, 'unknown_kind'],
        [{ doc_type: 'zip' }, 'unknown_doc_type'],
      ] as const)
        for (const [method, at] of [
          ['POST', '/views'],
          ['PATCH', `/views/${stored.id}`],
        ] as const) {
          const { status, json } = await call(method, at, { name: 'x', filters });
          expect([status, json.code]).to.deep.equal([400, code]);
        }
      expect(await listed()).to.deep.equal([stored]);
    });

    it('remain after their folder and theme were deleted, and list nothing', async () => {
      const theme = (await call('POST', '/themes', { name: 'T' })).json.id as string;
      const folder = (await call('POST', '/collections', { name: 'F', theme_id: theme })).json
        .id as string;
      const note = await call('POST', '/objects/notes', { content: 'x', collection_id: folder });
      expect(note.status).to.equal(200);
      const saved = await view({ name: 'V', filters: { collection_id: folder, theme_id: theme } });
      const total = async () =>
        (await call('GET', `/objects?collection_id=${folder}&theme_id=${theme}`)).json.total;
      expect(await total()).to.equal(1);
      await call('DELETE', `/collections/${folder}`);
      await call('DELETE', `/themes/${theme}`);
      expect(await listed()).to.deep.equal([saved]);
      expect(await total()).to.equal(0);
    });

    it('are the same while the hidden zone is locked', async () => {
      const theme = (await call('POST', '/themes', { name: 'T', is_hidden: true })).json
        .id as string;
      await view({ name: 'Hidden', filters: { hidden_only: true, theme_id: theme } });
      const before = await call('GET', '/views');
      await call('POST', '/hidden-pin', { pin: PIN });
      expect((await call('GET', '/views')).json).to.deep.equal(before.json);
      // The id of a hidden theme and that of no theme are answered alike.
      const created = await Promise.all(
        [theme, MISSING].map((theme_id) => view({ name: 'x', filters: { theme_id } })),
      );
      expect(created.map(({ filters }) => filters.theme_id)).to.deep.equal([theme, MISSING]);
      await call('DELETE', '/hidden-pin', { pin: PIN });
    });

    it('are created once for an idempotency key', async () => {
      const headers = { 'idempotency-key': 'one-view' };
      const first = await call('POST', '/views', { name: 'Once' }, headers);
      const again = await call('POST', '/views', { name: 'Once' }, headers);
      expect(again.json).to.deep.equal(first.json);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(await listed()).to.have.length(1);
    });

    it('belong to their owner alone, and not to a token that is bound to folders', async () => {
      const { id } = await view({ name: 'Mine' });
      const { token } = await service.newOwner();
      expect((await service.call('GET', '/v1/views', { token })).json.total).to.equal(0);
      for (const method of ['PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { body: {} } : {};
        const { status } = await service.call(method, `/v1/views/${id}`, { token, ...body });
        expect(status, method).to.equal(404);
      }
      const folder = (await call('POST', '/collections', { name: 'Bound' })).json.id as string;
      const bound = await boundToken(service, service.token, [folder]);
      for (const [method, path, body] of [
        ['GET', '/v1/views'],
        ['POST', '/v1/views', { name: 'x' }],
        ['PATCH', `/v1/views/${id}`, {}],
        ['DELETE', `/v1/views/${id}`],
      ] as const) {
        const answer = await service.call(method, path, { token: bound, ...(body && { body }) });
        expect([answer.status, answer.json.code], method).to.deep.equal([403, 'forbidden']);
      }
    });

    it('are at most 100', async () => {
      for (let n = 0; n < 100; n++) await view({ name: `View ${n}` });
      const { status, json } = await call('POST', '/views', { name: 'One more' });
      expect([status, json.code]).to.deep.equal([409, 'too_many_views']);
      const all = await listed();
      expect(all).to.have.length(100);
      await call('DELETE', `/views/${all[0]!.id}`);
      await view({ name: 'One more' });
    });
  });

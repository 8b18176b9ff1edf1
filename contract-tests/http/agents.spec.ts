import { expect } from 'chai';
import { profiles, startService, type Answer, type Call, type Service } from './harness.ts';

const BUILT_IN = ['assistant', 'librarian', 'planner'];
const FACE = '\u{1F600}';
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const FIELDS =
  'id slug name description icon persona toolsets kind locked active created_at updated_at'.split(
    ' ',
  );

interface Card extends Record<string, unknown> {
  readonly slug: string;
  readonly active: boolean;
}

const told = ({ status, json }: Answer) => [status, json.code];

for (const profile of profiles)
  describe(`${profile}: roles of the agent`, function () {
    this.timeout(120_000);
    let service: Service;
    before(async () => {
      service = await startService(profile);
    });
    after(() => service.dispose());

    /** An owner without custom roles. */
    const owner = async () => {
      const { token } = await service.newOwner();
      const call = (method: string, path: string, body?: object, more: Call = {}) =>
        service.call(method, `/v1/agents${path}`, { token, ...more, ...(body && { body }) });
      const create = (over: object = {}, more: Call = {}) =>
        call('POST', '/custom', { slug: 'skipper', name: 'S', persona: 'P', ...over }, more);
      const all = async (): Promise<readonly Card[]> =>
        (await call('GET', '?limit=100')).json.items;
      const active = async () => (await all()).filter((each) => each.active).map((it) => it.slug);
      return { token, call, create, all, active };
    };

    it('are initially three locked built-in ones, the same for every owner, and none is active', async () => {
      const [one, another] = [await owner(), await owner()];
      const { json } = await one.call('GET', '');
      expect(json.total).to.equal(3);
      expect(json.items.map(({ slug }: Card) => slug)).to.deep.equal(BUILT_IN);
      for (const card of json.items) {
        expect(Object.keys(card)).to.deep.equal(FIELDS);
        expect(card).to.include({ kind: 'builtin', locked: true, active: false });
        expect(card.id).to.match(/^[0-9a-f-]{36}$/);
        expect(card.created_at).to.match(MOMENT).and.to.equal(card.updated_at);
        expect(card.persona.length).to.be.above(200);
        expect((await one.call('GET', `/${card.slug}`)).json).to.deep.equal(card);
      }
      expect((await another.call('GET', '')).json).to.deep.equal(json);
    });

    it('are created, read, changed and deleted', async () => {
      const { call, create, all } = await owner();
      const persona = '  You know the tides.\r\n"Always." \u202e e\u0301  ';
      const created = await create({
        name: '  Ski\u0301pper\u2009',
        persona,
        description: ' d ',
        icon: '⚓',
        toolsets: ['organize', 'objects'],
        kind: 'builtin',
        locked: true,
        active: true,
        unknown: 1,
      });
      expect(created.status, created.text).to.equal(200);
      expect(Object.keys(created.json)).to.deep.equal(FIELDS);
      expect(created.json).to.deep.equal({
        id: created.json.id,
        slug: 'skipper',
        name: 'Sk\u00edpper',
        description: ' d ',
        icon: '⚓',
        persona,
        toolsets: ['organize', 'objects'],
        kind: 'custom',
        locked: false,
        active: false,
        created_at: created.json.updated_at,
        updated_at: created.json.created_at,
      });
      expect(created.json.id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect((await call('GET', '/skipper')).json).to.deep.equal(created.json);
      const second = await create({ slug: 'a' });
      expect(second.json).to.deep.include({ description: '', icon: '', toolsets: ['objects'] });
      expect((await all()).map(({ slug }) => slug)).to.deep.equal([...BUILT_IN, 'skipper', 'a']);

      const edited = await call('PATCH', '/custom/skipper', {
        name: ' Captain ',
        toolsets: [],
        persona: null,
        description: null,
        slug: 'other',
        id: second.json.id,
      });
      expect(edited.status, edited.text).to.equal(200);
      expect(edited.json).to.deep.equal({
        ...created.json,
        name: 'Captain',
        toolsets: [],
        updated_at: edited.json.updated_at,
      });
      expect(edited.json.updated_at >= created.json.updated_at).to.equal(true);
      expect((await call('GET', '/skipper')).json).to.deep.equal(edited.json);
      expect(told(await call('GET', '/other'))).to.deep.equal([404, 'not_found']);
      const more = { persona: 'Q', description: '', icon: '' };
      expect((await call('PATCH', '/custom/skipper', more)).json).to.deep.include(more);

      expect((await call('DELETE', '/custom/skipper')).json).to.deep.equal({ deleted: true });
      for (const [method, path, body] of [
        ['DELETE', '/custom/skipper', undefined],
        ['PATCH', '/custom/skipper', { name: 'x' }],
        ['GET', '/skipper', undefined],
        ['POST', '/skipper/activate', undefined],
      ] as const)
        expect(told(await call(method, path, body)), path).to.deep.equal([404, 'not_found']);
      expect((await create()).json.id).not.to.equal(created.json.id);
    });

    it('are paged across built-in and custom ones', async () => {
      const { call, create, all } = await owner();
      for (const slug of ['z', 'y', 'x']) await create({ slug });
      const whole = await all();
      expect(whole.map(({ slug }) => slug)).to.deep.equal([...BUILT_IN, 'z', 'y', 'x']);
      for (const [limit, offset] of [
        [2, 0],
        [2, 2],
        [3, 3],
        [1, 5],
        [9, 6],
        [100, 2 ** 53],
      ] as const) {
        const { json } = await call('GET', `?limit=${limit}&offset=${offset}`);
        expect(json).to.deep.equal({ items: whole.slice(offset, offset + limit), total: 6 });
      }
      for (const query of ['?limit=0', '?limit=101', '?offset=-1', '?limit=x'])
        expect((await call('GET', query)).status, query).to.equal(422);
    });

    it('are active one at a time, built-in or custom, and none after deactivation', async () => {
      const { call, create, active } = await owner();
      const off = () => call('POST', '/deactivate');
      expect((await off()).json).to.deep.equal({ deactivated: true });
      const created = await create();
      expect(await active()).to.deep.equal([]);
      for (const slug of ['skipper', 'planner', 'planner', 'skipper']) {
        const { status, json } = await call('POST', `/${slug}/activate`);
        expect([status, json.slug, json.active]).to.deep.equal([200, slug, true]);
        expect((await call('GET', `/${slug}`)).json).to.deep.equal(json);
        expect(await active()).to.deep.equal([slug]);
      }
      expect((await call('GET', '/skipper')).json).to.deep.equal({ ...created.json, active: true });
      const renamed = await call('PATCH', '/custom/skipper', { name: 'N' });
      expect(renamed.json.active, 'a change leaves it active').to.equal(true);
      for (let time = 0; time < 2; time++)
        expect((await off()).json).to.deep.equal({ deactivated: true });
      expect(await active()).to.deep.equal([]);
      await call('POST', '/skipper/activate', {});
      await create({ slug: 'other' });
      await call('DELETE', '/custom/other');
      expect(await active()).to.deep.equal(['skipper']);
      await call('DELETE', '/custom/skipper');
      expect(await active()).to.deep.equal([]);
      expect((await create()).json.active, 'not even under the old slug').to.equal(false);
      for (const unknown of ['nobody', 'Planner', 'PLANNER', 'constructor', '__proto__', '%20'])
        expect(told(await call('POST', `/${unknown}/activate`)), unknown).to.deep.equal([
          404,
          'not_found',
        ]);
    });

    it('that are built in cannot be changed', async () => {
      const { call, create, all } = await owner();
      const before = await all();
      for (const slug of BUILT_IN) {
        const answers = [
          await call('PATCH', `/custom/${slug}`, { name: 'Mine', persona: 'Mine' }),
          await call('PATCH', `/custom/${slug}`, {}),
          await call('DELETE', `/custom/${slug}`),
        ];
        for (const answer of answers) {
          expect(told(answer)).to.deep.equal([403, 'forbidden']);
          expect(answer.json.detail).to.match(/built-in role/);
        }
        const wrong = await call('PATCH', `/custom/${slug}`, { name: '' });
        expect(wrong.status, 'what is no request is told first').to.equal(422);
        expect(told(await create({ slug }))).to.deep.equal([409, 'already_exists']);
      }
      expect(await all()).to.deep.equal(before);
    });

    it('have a unique slug that is not reserved by the API', async () => {
      const { call, create, all } = await owner();
      for (const slug of ['custom', 'deactivate'])
        expect(told(await create({ slug })), slug).to.deep.equal([409, 'already_exists']);
      const longest = 'x'.repeat(63);
      for (const slug of ['activate', '0', '-'.padStart(2, 'a'), longest, 'constructor']) {
        expect((await create({ slug })).status, slug).to.equal(200);
        expect(told(await create({ slug })), slug).to.deep.equal([409, 'already_exists']);
        expect((await call('GET', `/${slug}`)).json.slug).to.equal(slug);
        expect((await call('PATCH', `/custom/${slug}`, { icon: 'i' })).json.icon).to.equal('i');
        expect((await call('POST', `/${slug}/activate`)).json.active).to.equal(true);
      }
      expect(await all()).to.have.length(8);
      for (const [method, path, allow] of [
        ['GET', '/custom', 'POST'],
        ['DELETE', '/custom', 'POST'],
        ['GET', '/deactivate', 'POST'],
        ['POST', '', 'GET, HEAD'],
        ['POST', '/activate', 'GET, HEAD'],
        ['DELETE', '/skipper', 'GET, HEAD'],
        ['GET', '/skipper/activate', 'POST'],
        ['POST', '/deactivate/activate', undefined],
        ['GET', '/custom/skipper', 'PATCH, DELETE'],
        ['POST', '/custom/activate', 'PATCH, DELETE'],
      ] as const) {
        const { status, headers } = await call(method, path);
        expect([status, headers.get('allow') ?? undefined], `${method} ${path}`).to.deep.equal([
          allow === undefined ? 404 : 405,
          allow,
        ]);
      }
    });

    it('are validated field by field, with all errors at once', async () => {
      const { call, create, all } = await owner();
      const errors = async (sent: Promise<Answer>) => {
        const { status, json, text } = await sent;
        expect(status, text).to.equal(422);
        return json.detail.map((each: { loc: string[]; type: string }) => [
          each.loc.slice(1).join('.'),
          each.type,
        ]);
      };
      expect(await errors(call('POST', '/custom', {}))).to.deep.equal([
        ['name', 'missing'],
        ['persona', 'missing'],
        ['slug', 'missing'],
      ]);
      expect(await errors(call('POST', '/custom'))).to.deep.equal([['', 'missing']]);
      const wrong = await create({ slug: 'No', toolsets: ['objects', 'search'] });
      expect(wrong.json.detail).to.deep.equal([
        {
          type: 'string_pattern_mismatch',
          loc: ['body', 'slug'],
          msg: "String should match pattern '^[a-z0-9][a-z0-9-]{0,62}$'",
          input: 'No',
          ctx: { pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
        },
        {
          type: 'literal_error',
          loc: ['body', 'toolsets', 1],
          msg: "Input should be 'objects', 'notes', 'calendar' or 'organize'",
          input: 'search',
          ctx: { expected: "'objects', 'notes', 'calendar' or 'organize'" },
        },
      ]);
      for (const slug of ['', '-a', 'a b', ' a', 'a\n', 'ä', 'a_b', 'x'.repeat(64), FACE, 'а'])
        expect(await errors(create({ slug })), slug).to.deep.equal([
          ['slug', 'string_pattern_mismatch'],
        ]);
      const shared: readonly (readonly [object, string, string])[] = [
        [{ name: '' }, 'name', 'string_too_short'],
        [{ name: ' \u2003\n ' }, 'name', 'string_too_short'],
        [{ name: FACE.repeat(81) }, 'name', 'string_too_long'],
        [{ name: 5 }, 'name', 'string_type'],
        [{ persona: '' }, 'persona', 'string_too_short'],
        [{ persona: FACE.repeat(8_001) }, 'persona', 'string_too_long'],
        [{ description: 'x'.repeat(501) }, 'description', 'string_too_long'],
        [{ icon: FACE.repeat(65) }, 'icon', 'string_too_long'],
        [{ toolsets: 'objects' }, 'toolsets', 'list_type'],
        [{ toolsets: ['notes', 'notes'] }, 'toolsets', 'value_error'],
        [{ toolsets: ['Objects'] }, 'toolsets.0', 'literal_error'],
        [{ toolsets: [null] }, 'toolsets.0', 'literal_error'],
        ...['name', 'persona', 'description', 'icon'].flatMap((field) =>
          ['a\0', '\ud83d', '\ude00\ud83d'].map(
            (text) => [{ [field]: text }, field, 'value_error'] as const,
          ),
        ),
      ];
      await create({ slug: 'made' });
      const before = await all();
      for (const [body, field, type] of shared)
        for (const sent of [create(body), call('PATCH', '/custom/made', body)])
          expect((await errors(sent))[0], JSON.stringify(body)).to.deep.equal([field, type]);
      expect(await all()).to.deep.equal(before);
      const widest = {
        name: FACE.repeat(80),
        persona: FACE.repeat(8_000),
        description: FACE.repeat(500),
        icon: FACE.repeat(64),
        toolsets: ['organize', 'calendar', 'notes', 'objects'],
      };
      expect((await create({ slug: 'widest', ...widest })).json).to.deep.include(widest);
      expect((await call('PATCH', '/custom/made', widest)).json).to.deep.include(widest);
      const nothing = await create({ slug: 'b', icon: null, description: null, toolsets: null });
      expect(nothing.json).to.deep.include({ icon: '', description: '', toolsets: ['objects'] });
      expect(await errors(create({ slug: 'n', name: null }))).to.deep.equal([
        ['name', 'string_type'],
      ]);
    });

    it('have a name of one line that reads in one direction, like folders and themes', async () => {
      const { token, create } = await owner();
      const post = (path: string, name: string) =>
        service.call('POST', path, { token, body: { name } });
      for (const mark of ['\n', '\u0007', '\u0085', '\u2028', '\u202e', '\u2066']) {
        const name = `Tax${mark}2026`;
        const answers = [
          await create({ name }),
          await post('/v1/collections', name),
          await post('/v1/themes', name),
        ];
        for (const { status, json } of answers) {
          expect(status, JSON.stringify(mark)).to.equal(422);
          const [{ loc, type, msg }] = json.detail;
          expect([loc, type]).to.deep.equal([['body', 'name'], 'value_error']);
          expect(msg).to.include('a name holds no control character');
        }
      }
      // Joiners and marks that scripts need stay.
      const name = 'می\u200cخواهم \u200fabc';
      for (const answer of [await post('/v1/collections', name), await post('/v1/themes', name)]) {
        expect(answer.status).to.equal(200);
        expect(answer.json.name).to.equal(name);
      }
    });

    it('of another owner are indistinguishable from missing ones, byte for byte', async () => {
      const [mine, other] = [await owner(), await owner()];
      await mine.create({ slug: 'mine', name: 'Mine alone' });
      await mine.call('POST', '/mine/activate');
      const before = await mine.all();
      const tries = [
        ['GET', (slug: string) => `/${slug}`, undefined],
        ['POST', (slug: string) => `/${slug}/activate`, undefined],
        ['PATCH', (slug: string) => `/custom/${slug}`, { name: 'Taken' }],
        ['DELETE', (slug: string) => `/custom/${slug}`, undefined],
      ] as const;
      for (const [method, path, body] of tries) {
        const [foreign, missing] = [
          await other.call(method, path('mine'), body),
          await other.call(method, path('none'), body),
        ];
        expect(told(foreign), method).to.deep.equal([404, 'not_found']);
        expect(foreign.text).to.equal(missing.text);
        expect([...foreign.headers.keys()]).to.deep.equal([...missing.headers.keys()]);
      }
      expect((await other.call('GET', '')).json.total).to.equal(3);
      await other.call('POST', '/planner/activate');
      await other.call('POST', '/deactivate');
      expect((await other.create({ slug: 'mine' })).status).to.equal(200);
      expect(await mine.all()).to.deep.equal(before);
    });

    it('can be read but not changed with a read-only token', async () => {
      const { token, call, create, all } = await owner();
      await create();
      const before = await all();
      const reader = await service.call('POST', '/v1/tokens', {
        token,
        body: { name: 'r', access: 'read' },
      });
      const as = { token: reader.json.token as string };
      for (const [method, path, body] of [
        ['POST', '/custom', { slug: 'b', name: 'B', persona: 'P' }],
        ['PATCH', '/custom/skipper', { name: 'B' }],
        ['PATCH', '/custom/assistant', { name: 'B' }],
        ['DELETE', '/custom/skipper', undefined],
        ['POST', '/skipper/activate', undefined],
        ['POST', '/deactivate', undefined],
      ] as const)
        expect(told(await call(method, path, body, as)), path).to.deep.equal([403, 'forbidden']);
      expect((await call('GET', '?limit=100', undefined, as)).json.items).to.deep.equal(before);
      expect((await call('GET', '/skipper', undefined, as)).status).to.equal(200);
    });

    it('under concurrency: one creation gets the slug, and one activation wins', async () => {
      const { call, create, active, all } = await owner();
      for (let round = 0; round < 3; round++) {
        const slug = `race-${round}`;
        const race = await Promise.all(
          Array.from({ length: 6 }, (_, i) => create({ slug, name: `Number ${i}` })),
        );
        expect(race.map(({ status }) => status).toSorted()).to.deep.equal([
          200, 409, 409, 409, 409, 409,
        ]);
        const won = race.find(({ status }) => status === 200)?.json;
        expect((await call('GET', `/${slug}`)).json).to.deep.equal(won);
      }
      const slugs = [...BUILT_IN, 'race-0', 'race-1', 'race-2'];
      for (let round = 0; round < 3; round++) {
        const done = await Promise.all(slugs.map((slug) => call('POST', `/${slug}/activate`)));
        for (const { status, json } of done)
          expect([status, json.active]).to.deep.equal([200, true]);
        expect(await active()).to.have.length(1);
      }
      await Promise.all([
        call('DELETE', '/custom/race-0'),
        ...Array.from({ length: 4 }, () => call('POST', '/race-0/activate')),
      ]);
      expect(await active(), 'no role that is gone').not.to.include('race-0');
      expect((await all()).map(({ slug }) => slug)).not.to.include('race-0');
    });

    it('are created once per idempotency key', async () => {
      const { create, all } = await owner();
      const key = (name: string) => ({ headers: { 'idempotency-key': name } });
      const first = await create({}, key('k'));
      const again = await create({}, key('k'));
      expect([again.status, again.text]).to.deep.equal([200, first.text]);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(told(await create({ name: 'Other' }, key('k')))).to.deep.equal([
        409,
        'idempotency_key_reused',
      ]);
      expect(told(await create({}, key('l')))).to.deep.equal([409, 'already_exists']);
      expect((await create({ slug: 'free' }, key('l'))).status, 'a refusal frees it').to.equal(200);
      expect(await all()).to.have.length(5);
    });

    it('are limited to 200 per owner', async () => {
      const { call, create } = await owner();
      for (let from = 0; from < 200; from += 20) {
        const some = Array.from({ length: 20 }, (_, i) => create({ slug: `r${from + i}` }));
        for (const { status, text } of await Promise.all(some)) expect(status, text).to.equal(200);
      }
      const last = await Promise.all([create({ slug: 'a' }), create({ slug: 'b' })]);
      for (const answer of last) expect(told(answer)).to.deep.equal([409, 'too_many_roles']);
      expect((await call('GET', '')).json.total).to.equal(203);
      await call('DELETE', '/custom/r5');
      const both = await Promise.all([create({ slug: 'a' }), create({ slug: 'b' })]);
      expect(both.map(({ status }) => status).toSorted()).to.deep.equal([200, 409]);
    });

    it('are polled with an ETag, survive a restart, and leave no findings of the doctor', async () => {
      const { call, create, all } = await owner();
      await create({ persona: 'Смотритель\nмаяка' });
      await call('POST', '/skipper/activate');
      const before = await all();
      const tag = (await call('GET', '')).headers.get('etag') ?? '';
      const conditional = { headers: { 'if-none-match': tag } };
      expect((await call('GET', '', undefined, conditional)).status).to.equal(304);
      service = await service.restart('SIGKILL');
      expect(await all()).to.deep.equal(before);
      await call('POST', '/planner/activate');
      expect((await call('GET', '', undefined, conditional)).status).to.equal(200);
      const { ok, checks } = await service.cli('doctor');
      expect(ok, JSON.stringify(checks)).to.equal(true);
    });
  });

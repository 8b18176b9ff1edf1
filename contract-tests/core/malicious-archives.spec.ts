import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { isWebAddress } from '../../core/objects/index.ts';
import { backends, type Backend } from '../backends.ts';
import { serveWorld, type ServedWorld } from '../interference/served-world.ts';
import { archiveOf, exported, filesOf } from './transfer-fixture.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const TYPES = {
  'a type with line ends': 'text/plain\r\nX-Evil: 1',
  'a type after a blank': ' text/html',
  'a type with parameters': 'text/html;charset=utf-8',
  'a type in capitals': 'TEXT/HTML',
  XHTML: 'application/xhtml+xml',
  'a type before a blank': 'image/svg+xml ',
  'a tab': '\ttext/html',
};
const ADDRESSES = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'vbscript:x',
  'http://a\r\nb/',
  'http:evil',
  'http:///',
  'ftp://a/',
  'http://x y/',
  `http://a/${'x'.repeat(3_000)}`,
  '//a/b',
];
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
const HOSTILE: readonly unknown[] = [
  ...Object.values(TYPES),
  ...ADDRESSES,
  ...[
    '',
    ' ',
    '\0',
    '\ud800',
    '..',
    '.',
    '../../x',
    'a/b',
    'a\\b',
    'CON',
    '\u202Eexe.txt',
    '__proto__',
  ],
  ...['x'.repeat(256), 'x'.repeat(20_000), '\u{1F600}'.repeat(130), '\u{1F600}'.repeat(1_100)],
  ...[
    '9999-12-31T23:59:59.999Z',
    '+010000-01-01T00:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    'now',
    '1970-01-01',
  ],
  ...[0, -1, 1.5, 1e9, 1e9 + 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e308, -0],
  ...[null, true, false, [], {}, [null], [[]], 'constructor'],
  ...[
    deep(70),
    deep(3_000),
    { ui: 'x'.repeat(20_000) },
    JSON.parse('{"__proto__":{"polluted":1}}'),
  ],
  ...[
    Array.from({ length: 25 }, (_, i) => `c${i}`),
    ['a', 'A'],
    [' a '],
    [''],
    Array(2_000).fill('x'),
  ],
  ...['Mars/Olympus', '+01:00', 'FREQ=SECONDLY', 'ready', 'note', 'link', 'image', 'image/x/../y'],
  ...['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-7FFF-8FFF-FFFFFFFFFFFF', '{x}'],
];

/** The path of keys to a value. */
type Way = readonly (string | number)[];

const MAX_WAY_LENGTH = 50;

function waysIn(value: unknown, way: Way = []): readonly Way[] {
  // A first change may have put thousands of levels into the record: those are not walked.
  if (typeof value !== 'object' || value === null || way.length === MAX_WAY_LENGTH) return [way];
  const inner = Object.entries(value).flatMap(([key, each]) => waysIn(each, [...way, key]));
  return way.length > 0 ? [way, ...inner] : inner;
}

const valueAt = (record: unknown, way: Way): unknown =>
  way.reduce((at, key) => (at as Record<string, unknown>)[key], record);

function put(record: unknown, way: Way, value: unknown): unknown {
  // Unlike structuredClone, JSON copes with the deepest record.
  const copy = JSON.parse(JSON.stringify(record)) as Record<string, unknown>;
  let at = copy;
  for (const key of way.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[way.at(-1)!] = value;
  return copy;
}

/** Values similar to valid ones, so that many of them pass the first checks. */
const BENT = {
  nothing: (value: unknown) => (typeof value === 'string' ? '' : Array.isArray(value) ? [] : 0),
  padded: (value: unknown) => (typeof value === 'string' ? ` ${value} ` : value),
  capitals: (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value),
  doubled: (value: unknown) =>
    typeof value === 'string'
      ? value + value
      : typeof value === 'number'
        ? value * 2
        : Array.isArray(value)
          ? [...(value as unknown[]), ...(value as unknown[])]
          : value,
  next: (value: unknown) => (typeof value === 'number' ? value + 1 : !value),
  previous: (value: unknown) => (typeof value === 'number' ? value - 1 : value),
  controls: (value: unknown) => (typeof value === 'string' ? `${value}\r\n\u0007\u0085` : value),
  reversed: (value: unknown) => (typeof value === 'string' ? `\u202e${value}` : value),
  later: (value: unknown) =>
    typeof value === 'string' && /^\d{4}-/.test(value) ? value.replace(/^\d{4}/, '9998') : value,
  'another type': (value: unknown) =>
    typeof value === 'string' && /^[a-z]+\/[a-z]+/.test(value)
      ? 'application/x-shockwave-flash'
      : value,
} as const;

interface Forgery {
  readonly bent?: keyof typeof BENT;
  readonly file: number;
  readonly line: number;
  readonly way: number;
  readonly value: unknown;
}
const place = { file: fc.nat(20), line: fc.nat(20), way: fc.nat(80) };
const forgery: fc.Arbitrary<Forgery> = fc.oneof(
  fc.record({
    ...place,
    value: fc.constant(null),
    bent: fc.constantFrom(...(Object.keys(BENT) as (keyof typeof BENT)[])),
  }),
  fc.record({
    ...place,
    value: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...HOSTILE) },
      fc.string({ unit: 'binary' }),
      fc.jsonValue(),
    ),
  }),
);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The archive with these values, and a matching manifest, as an attacker would make it. */
async function forged(files: ReadonlyMap<string, string>, changes: readonly Forgery[]) {
  const changed = new Map(files);
  const parts = [...files.keys()].filter((path) => path.startsWith('metadata/'));
  for (const { file, line, way, value, bent } of changes) {
    const path = parts[file % parts.length]!;
    const lines = changed.get(path)!.trimEnd().split('\n');
    const n = line % lines.length;
    const record = JSON.parse(lines[n]!) as unknown;
    const ways = waysIn(record);
    const chosen = ways[way % ways.length]!;
    lines[n] = JSON.stringify(
      put(record, chosen, bent ? BENT[bent](valueAt(record, chosen)) : value),
    );
    changed.set(path, `${lines.join('\n')}\n`);
  }
  return repacked(changed);
}

function repacked(files: ReadonlyMap<string, string>) {
  const manifest = files.get('manifest.json')!.split('\n');
  const listed = manifest.map((entry) => {
    const path = /^\{"path":("(?:[^"\\]|\\.)*")/.exec(entry)?.[1];
    const text = path === undefined ? undefined : files.get(JSON.parse(path) as string);
    if (path === undefined || text === undefined) return entry;
    const created = {
      path: JSON.parse(path) as string,
      size: Buffer.byteLength(text),
      sha256: sha256(text),
    };
    return JSON.stringify(created) + (entry.endsWith(',') ? ',' : '');
  });
  return archiveOf(new Map([...files, ['manifest.json', listed.join('\n')]]));
}

/** A workspace with a record of every kind. */
async function fullWorkspace(backend: Backend): Promise<CoreFixture> {
  const world = await openCoreFixture(backend);
  const { core, caller } = world;
  const { theme } = await core.library.createTheme(caller, { name: 'Home', icon: 'h' });
  const { collection } = await core.library.createCollection(caller, {
    name: 'Taxes',
    themeId: theme.id,
  });
  const placed = { collectionId: collection.id };
  const note = await core.objects.addNote(caller, { content: '# Harbour\nlanterns', ...placed });
  await core.objects.addFiles(caller, [await world.file('a.txt', 'a harbour')], {});
  const link = await core.objects.addLink(caller, { url: 'https://harbour.test/x' });
  await world.runPendingTasks();
  await core.processing.correctText(caller, note.object.id, {
    text: 'lanterns burn',
    baseVersion: 1,
  });
  await core.objects.saveText(caller, note.object.id, {
    content: 'lanterns all night',
    baseVersion: 1,
  });
  await core.objects.categorizeObject(caller, note.object.id, ['light', 'sea']);
  await world.runPendingTasks();
  const drawn = await world.blobs.write('picture', { maxBytes: 1e6 });
  await backend.uow.write(caller.scope, async ({ contents, links, objects, enrichments }) => {
    const image = { ...(await contents.retain(drawn)), mime: 'image/png' };
    const object = await objects.find(note.object.id);
    await objects.save({
      ...object!,
      suggestedName: 'lamp.md',
      suggestedReason: 'so',
      suggestedCollectionId: collection.id,
    });
    await enrichments.put({
      objectId: note.object.id,
      version: 2,
      model: 'm',
      language: 'en',
      title: 't',
      description: 'd',
      summary: 's',
      docType: 'note',
      keywords: ['k'],
      entities: { people: ['Ann'] },
    });
    await links.put({
      objectId: link.object.id,
      finalUrl: 'https://harbour.test/',
      title: 'T',
      siteName: 'S',
      description: 'D',
      image,
      fetchedAt: world.now,
    });
  });
  await core.conversations.ask(caller, { question: 'harbour lanterns?' });
  await core.agents.createAgent(caller, { slug: 'clerk', name: 'Clerk', persona: 'You are.' });
  await core.agents.activateAgent(caller, 'clerk');
  await core.settings.putSettings(caller, { timezone: 'Europe/Berlin', ui: { theme: 'dark' } });
  const at = (hour: number) => ({ local: Date.UTC(2026, 1, 1, hour), offsetMinutes: 0 });
  await core.calendar.createEvent(caller, {
    title: 'Tide',
    startsAt: at(9),
    endsAt: at(10),
    tz: 'UTC',
    rrule: 'FREQ=DAILY;COUNT=3',
  });
  return world;
}

describe('a hostile archive', () => {
  let backend: Backend;
  let files: ReadonlyMap<string, string>;
  before(async () => {
    backend = await backends[0]![1]();
    const source = await fullWorkspace(backend);
    files = await filesOf(await exported(source, source.caller));
  });
  after(() => backend.close());

  const withTarget = async (
    work: (
      call: (
        method: string,
        path: string,
        body?: object | Uint8Array,
      ) => ReturnType<ServedWorld['send']>,
      world: CoreFixture,
    ) => Promise<void>,
  ): Promise<void> => {
    const world = await openCoreFixture(backend);
    const served = await serveWorld(world);
    try {
      await work(async (method, path, body) => {
        const isBytes = body instanceof Uint8Array;
        const reply = await served.send({
          method,
          path: `/v1${path}`,
          headers: {
            authorization: `Bearer ${world.bearer}`,
            ...(body && { 'content-type': isBytes ? 'application/zip' : 'application/json' }),
          },
          ...(body && { body: isBytes ? body : JSON.stringify(body) }),
        });
        expect(
          reply.status,
          `${method} ${path}: ${reply.body.toString().slice(0, 300)}`,
        ).to.be.below(500);
        expect(served.errors).to.deep.equal([]);
        return reply;
      }, world);
    } finally {
      served.close();
    }
  };

  type Json = Record<string, unknown> & { items: Json[]; id: string };
  const json = ({ body }: { body: Buffer }) => JSON.parse(body.toString()) as Json;

  it('is rejected with a reason, or everything imported is readable and passes the rules of its operations', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(forgery, { minLength: 1, maxLength: 2, size: 'small' }),
        async (changes) => {
          const archive = await forged(files, changes);
          await withTarget(async (call, world) => {
            const reported = await call('POST', '/import', archive);
            if (reported.status === 400) {
              expect(json(reported)['code']).to.equal('bad_archive');
              expect(json(await call('GET', '/objects?include_hidden=true'))['total']).to.equal(0);
              return;
            }
            expect(reported.status, reported.body.toString()).to.equal(200);
            await world.runPendingTasks();
            const ok = async (method: string, path: string, body?: object) =>
              expect(
                (await call(method, path, body)).status,
                `${method} ${path} ${JSON.stringify(body)}`,
              ).to.equal(200);
            const all = [
              ...json(await call('GET', '/objects?include_hidden=true')).items,
              ...json(await call('GET', '/objects?include_hidden=true&trashed=true')).items,
            ];
            expect(all).to.have.length(3);
            for (const {
              id,
              deleted_at,
              filename,
              categories,
              suggested_name,
              kind,
              source_url,
            } of all) {
              const one = `/objects/${id}`;
              for (const path of [
                '',
                '/text',
                '/versions',
                '/thumbnail',
                '/content',
                '/content?version=1',
              ])
                await call('GET', one + path);
              const { headers, status } = await call('GET', `${one}/content?disposition=inline`);
              expect(status).to.equal(200);
              if (/^inline/.test(headers['content-disposition']!))
                expect(headers['content-type']).to.match(
                  /^(text\/plain|text\/markdown|text\/csv|image\/(?!svg)|audio\/|video\/|application\/(pdf|json))/i,
                );
              expect(source_url === null || isWebAddress(source_url as string)).to.equal(true);
              if (kind === 'link') expect(source_url).not.to.equal(null);
              if (deleted_at !== null) continue;
              // First, since a renamed object has no suggested name any more.
              if (suggested_name !== null) await ok('POST', `${one}/suggestion`, { accept: true });
              await ok('PATCH', one, { filename });
              await ok('PUT', `${one}/categories`, { categories });
              await ok('GET', `${one}/content`);
              await ok('PATCH', one, { filename: json(await call('GET', one))['filename'] });
            }
            for (const { id, name, icon } of json(await call('GET', '/themes?include_hidden=true'))
              .items)
              await ok('PATCH', `/themes/${id}`, { name, icon });
            for (const { id, name, icon, description } of json(await call('GET', '/collections'))
              .items)
              await ok('PATCH', `/collections/${id}`, { name, icon, description });
            for (const { id, title } of json(await call('GET', '/chats')).items) {
              await ok('GET', `/chats/${id}`);
              await ok('PATCH', `/chats/${id}`, { title });
              await ok('POST', `/chats/${id}/turns`, { content: 'harbour?' });
            }
            const { prefs: _, ...settings } = json(await call('GET', '/settings'));
            await ok('PUT', '/settings', settings);
            for (const path of [
              '/notifications',
              '/usage',
              '/calendar/events',
              '/calendar/export',
              '/agents',
              '/export',
              '/search?q=harbour',
              '/recent-queries',
            ])
              await ok('GET', path);
            await ok('POST', '/calendar/events', {
              title: 'Next',
              starts_at: '2026-02-03T09:00:00Z',
              ends_at: '2026-02-03T10:00:00Z',
            });
            expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
          });
        },
      ),
      { numRuns: 80 },
    );
  });

  const objects = 'metadata/objects-000001.jsonl';
  const changed = (change: (record: Record<string, unknown>) => void) => {
    const lines = files.get(objects)!.trimEnd().split('\n');
    const edited = lines.map((line) => {
      const record = JSON.parse(line) as Record<string, unknown>;
      change(record);
      return JSON.stringify(record);
    });
    return repacked(new Map([...files, [objects, `${edited.join('\n')}\n`]]));
  };

  for (const [what, mime] of Object.entries(TYPES))
    it(`cannot import ${what} that a browser would render`, async () => {
      const archive = await changed((record) => {
        if (record['kind'] === 'link') return;
        record['mime'] = mime;
        for (const version of record['versions'] as Record<string, unknown>[])
          version['mime'] = mime;
      });
      await withTarget(async (call) => {
        const reported = await call('POST', '/import', archive);
        if (reported.status !== 200)
          return void expect(json(reported)['detail']).to.include('media type');
        for (const { id, kind } of json(await call('GET', '/objects')).items) {
          if (kind === 'link') continue;
          const { headers } = await call('GET', `/objects/${id}/content?disposition=inline`);
          expect(headers['content-disposition']).to.match(/^attachment/);
        }
      });
    });

  for (const address of ADDRESSES)
    it(`cannot import a link to ${JSON.stringify(address.slice(0, 30))}`, async () => {
      const archive = await changed((record) => {
        if (record['kind'] === 'link') record['source_url'] = address;
      });
      await withTarget(async (call) => {
        const reported = await call('POST', '/import', archive);
        expect([reported.status, json(reported)['detail']]).to.satisfy(
          ([status, detail]: [number, string]) => status === 400 && detail.includes('source_url'),
        );
      });
    });

  it('imports every URL that a link may have', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        const { href } = new URL(url);
        expect(isWebAddress(href), href).to.equal(true);
      }),
    );
    for (const url of [
      'http://[::1]:8080/',
      'https://a:b@c/',
      'http://bücher.example/ä?ö#ü',
      'http://1.2.3.4/@x',
      'https://x/?a=|',
    ])
      expect(isWebAddress(new URL(url).href), url).to.equal(true);
  });

  it('with an invalid suggested name is rejected', async () => {
    const archive = await changed((record) => (record['suggested_name'] = 'a\r\n/b'));
    await withTarget(async (call) => {
      expect(json(await call('POST', '/import', archive))['detail']).to.include('suggested_name');
    });
  });

  it('that refers to one large file in many records stores it once', async () => {
    const bytes = 'x'.repeat(1_000_000);
    const lines = files.get(objects)!.trimEnd().split('\n');
    const template = JSON.parse(lines.find((line) => line.includes('"a.txt"'))!) as Record<
      string,
      unknown
    >;
    const version = (template['versions'] as object[])[0];
    const about = { size: bytes.length, sha256: sha256(bytes), path: template['path'] };
    const many = Array.from({ length: 200 }, (_, i) =>
      JSON.stringify({
        ...template,
        id: `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`,
        size: about.size,
        content_hash: about.sha256,
        versions: [{ ...version, ...about }],
      }),
    );
    const archive = await repacked(
      new Map([...files, [template['path'] as string, bytes], [objects, `${many.join('\n')}\n`]]),
    );
    await withTarget(async (call, world) => {
      let written = 0;
      const write = world.blobs.write.bind(world.blobs);
      world.blobs.write = async (...given) => {
        const blob = await write(...given);
        written += blob.size;
        return blob;
      };
      expect((await call('POST', '/import', archive)).status).to.equal(200);
      expect(written).to.be.below(2 * bytes.length + archive.length);
    });
  });
});

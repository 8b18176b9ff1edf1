import { expect } from 'chai';
import fc from 'fast-check';
import type { Caller } from '../../core/shared/caller.ts';
import { toPlainName } from '../../core/shared/plain-name.ts';
import { TOOLSETS } from '../../ports/agent-roles.ts';
import type { Settings } from '../../ports/settings.ts';
import { backends, type Backend } from '../backends.ts';
import { exported, filesOf, imported, rowsOf, same, seenBy } from './transfer-fixture.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

type Deed =
  | { readonly do: 'theme'; readonly name: string; readonly hidden: boolean }
  | { readonly do: 'folder'; readonly name: string; readonly which: number }
  | { readonly do: 'note'; readonly text: string; readonly which: number; readonly hidden: boolean }
  | { readonly do: 'file'; readonly name: string; readonly text: string; readonly which: number }
  | { readonly do: 'save' | 'correct'; readonly which: number; readonly text: string }
  | { readonly do: 'rename'; readonly which: number; readonly name: string }
  | { readonly do: 'drop' | 'restoreVersion' | 'hide' | 'show'; readonly which: number }
  | { readonly do: 'trash' | 'erase' | 'restore' | 'enrich'; readonly which: number }
  | { readonly do: 'move'; readonly which: number; readonly to: number }
  | { readonly do: 'unfold' | 'untheme' | 'forget'; readonly which: number }
  | { readonly do: 'ask' | 'turn'; readonly which: number; readonly text: string }
  | { readonly do: 'settings'; readonly text: string }
  | { readonly do: 'role'; readonly which: number; readonly text: string }
  | { readonly do: 'activate' | 'unrole'; readonly which: number }
  | { readonly do: 'unread'; readonly text: string }
  | {
      readonly do: 'event';
      readonly text: string;
      readonly which: number;
      readonly rrule: string;
      readonly tz: string;
    }
  | {
      readonly do: 'occurrence' | 'leaveOut' | 'unevent';
      readonly which: number;
      readonly to: number;
    }
  | { readonly do: 'link'; readonly which: number; readonly text: string };

const WORDS = 'harbour lantern invoice meadow copper winter договор река 合同 𝕏'.split(' ');
const text = fc
  .array(fc.constantFrom(...WORDS, '\n', '"', '\\', ',', '\u2028'), { maxLength: 12 })
  .map((words) => words.join(' '));
const name = fc.constantFrom(
  ...['Taxes', 'taxes', 'TAXES.', 'CON', 'con.txt', '..', 'a:b', 'Reise – Übersicht', '税', 'x.md'],
);
const filename = name.map((it) => (it === '..' ? 'dots.' : it));
const which = fc.nat(6);
const as = <T extends Deed['do']>(...deeds: readonly T[]) => fc.constantFrom(...deeds);
const deed = fc.oneof(
  fc.record({ do: as('theme'), name, hidden: fc.boolean() }),
  fc.record({ do: as('folder'), name, which }),
  { weight: 4, arbitrary: fc.record({ do: as('note'), text, which, hidden: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: as('file'), name: filename, text, which }) },
  { weight: 2, arbitrary: fc.record({ do: as('save', 'correct'), which, text }) },
  fc.record({ do: as('rename'), which, name: filename }),
  { weight: 2, arbitrary: fc.record({ do: as('drop', 'restoreVersion', 'hide', 'show'), which }) },
  { weight: 2, arbitrary: fc.record({ do: as('trash', 'erase', 'restore', 'enrich'), which }) },
  fc.record({ do: as('move'), which, to: which }),
  fc.record({ do: as('unfold', 'untheme', 'forget'), which }),
  { weight: 2, arbitrary: fc.record({ do: as('ask', 'turn'), which, text }) },
  fc.record({ do: as('settings'), text }),
  { weight: 2, arbitrary: fc.record({ do: as('role'), which, text }) },
  fc.record({ do: as('activate', 'unrole'), which }),
  fc.record({ do: as('unread'), text }),
  fc.record({ do: as('link'), which, text }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: as('event'),
      text,
      which,
      rrule: fc.constantFrom('', 'FREQ=DAILY', 'FREQ=WEEKLY;COUNT=5', 'FREQ=MONTHLY;BYDAY=-1FR'),
      tz: fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: as('occurrence', 'leaveOut', 'unevent'), which, to: which }),
  },
) as fc.Arbitrary<Deed>;

/** Impossible steps are rejected by the rules; the law holds for the resulting state. */
async function live(world: CoreFixture, backend: Backend, deeds: readonly Deed[]): Promise<void> {
  const { core, caller } = world;
  const { objects, library, conversations, processing } = core;
  const ids = { objects: [] as string[], themes: [] as string[], folders: [] as string[] };
  const chats: string[] = [];
  const events: string[] = [];
  const { agents, calendar } = core;
  const one = (all: readonly string[], n: number) => all[n % Math.max(1, all.length)];
  const folder = (n: number) => {
    const collectionId = n === 0 ? undefined : one(ids.folders, n);
    return collectionId === undefined ? {} : { collectionId };
  };
  const act = async (each: Deed): Promise<unknown> => {
    const id = ('which' in each ? one(ids.objects, each.which) : undefined) ?? '';
    switch (each.do) {
      case 'theme': {
        const { theme } = await library.createTheme(caller, {
          name: each.name,
          isHidden: each.hidden,
        });
        return ids.themes.push(theme.id);
      }
      case 'folder': {
        const themeId = one(ids.themes, each.which);
        const { collection } = await library.createCollection(caller, {
          name: each.name,
          ...(themeId !== undefined && { themeId }),
        });
        return ids.folders.push(collection.id);
      }
      case 'note': {
        const { object } = await objects.addNote(caller, {
          content: each.text,
          isHidden: each.hidden,
          ...folder(each.which),
        });
        return ids.objects.push(object.id);
      }
      case 'file': {
        const files = [await world.file(each.name, each.text)];
        const [added] = await objects.addFiles(caller, files, folder(each.which));
        return added && ids.objects.push(added.object.id);
      }
      case 'unread': {
        world.extractions.set('unread.txt', () => ({ outcome: 'failed', reason: each.text }));
        const [added] = await objects.addFiles(
          caller,
          [await world.file('unread.txt', each.text)],
          {},
        );
        return added && ids.objects.push(added.object.id);
      }
      case 'link': {
        const { object } = await objects.addLink(caller, {
          url: `https://harbour.test/${each.which}`,
          ...folder(each.which),
        });
        const drawn = each.which ? await world.blobs.write(each.text, { maxBytes: 1e6 }) : null;
        const stored = await backend.uow.write(caller.scope, async ({ contents, links }) => {
          const image = drawn && { ...(await contents.retain(drawn)), mime: 'image/png' };
          await links.put({
            objectId: object.id,
            finalUrl: 'https://harbour.test/',
            title: each.text,
            siteName: 'Harbour',
            description: '',
            image,
            fetchedAt: world.now,
          });
          return image?.blobId;
        });
        if (drawn && stored !== drawn.blobId) await world.blobs.remove(drawn.blobId);
        return ids.objects.push(object.id);
      }
      case 'event': {
        const start = Date.UTC(2025, 9, 20 + each.which, each.which, 30);
        const created = await calendar.createEvent(caller, {
          title: each.text.slice(0, 100) || 'Untitled',
          description: each.text,
          startsAt: { local: start, offsetMinutes: each.which > 3 ? 0 : null },
          endsAt: {
            local: start + each.which * 3_600_000,
            offsetMinutes: each.which > 3 ? 0 : null,
          },
          tz: each.tz,
          rrule: each.rrule,
          allDay: each.which === 6,
          reminders: each.which === 1 ? [] : [0, 30, 1_440],
          status: each.which === 2 ? 'tentative' : 'confirmed',
        });
        return events.push(created.event.id);
      }
      case 'occurrence':
      case 'leaveOut': {
        const { items } = await calendar.agenda(caller, {
          from: { local: Date.UTC(2025, 9, 1), offsetMinutes: 0 },
          to: { local: Date.UTC(2026, 2, 1), offsetMinutes: 0 },
          limit: 50,
        });
        const found = items[(each.which * 7 + each.to) % Math.max(1, items.length)];
        if (!found) return undefined;
        const original = { local: found.originalAt, offsetMinutes: 0 };
        return each.do === 'leaveOut'
          ? calendar.excludeOccurrence(caller, found.event.id, original)
          : calendar.changeOccurrence(caller, found.event.id, original, {
              ...(each.to > 2 && { title: 'Changed; twice\n, "so"' }),
              ...(each.to < 4 && { location: 'Elsewhere' }),
              ...(each.to === 1 && { tz: 'Asia/Kolkata' }),
            });
      }
      case 'unevent':
        return calendar.deleteEvent(caller, one(events, each.which) ?? '');
      case 'save': {
        const { object } = await objects.getObject(caller, id);
        return objects.saveText(caller, id, { content: each.text, baseVersion: object.version });
      }
      case 'correct': {
        const { object } = await objects.getObject(caller, id);
        return processing.correctText(caller, id, {
          text: each.text,
          baseVersion: object.version,
        });
      }
      case 'drop':
        return processing.dropCorrection(caller, id);
      case 'rename':
        return objects.editObject(caller, id, { filename: each.name });
      case 'hide':
      case 'show':
        return objects.editObject(caller, id, { isHidden: each.do === 'hide' });
      case 'restoreVersion':
        return objects.restoreVersion(caller, id, 1);
      case 'trash':
      case 'erase':
        return objects.deleteObject(caller, id, each.do === 'erase');
      case 'restore':
        return objects.restoreObject(caller, id);
      case 'move':
        return objects.moveObject(caller, id, one(ids.folders, each.to) ?? null);
      case 'unfold':
        return library.deleteCollection(caller, one(ids.folders, each.which) ?? '', 'keep');
      case 'untheme':
        return library.deleteTheme(caller, one(ids.themes, each.which) ?? '');
      case 'ask': {
        const { session } = await conversations.ask(caller, { question: each.text });
        return chats.push(session?.id ?? '');
      }
      case 'turn':
        return conversations.addTurn(caller, one(chats, each.which) ?? '', {
          content: each.text,
          attachments: id === '' ? [] : [id],
        });
      case 'forget':
        return conversations.deleteChat(caller, one(chats, each.which) ?? '');
      case 'enrich':
        return backend.uow.write(caller.scope, async (stores) => {
          const object = await stores.objects.find(id);
          if (!object) return;
          const suggestedCollectionId = one(ids.folders, each.which) ?? null;
          await stores.objects.save({
            ...object,
            suggestedName: 'Suggested 名.txt',
            suggestedReason: 'It says so.',
            suggestedCollectionId,
            categories: ['One', 'два'],
            docType: 'invoice',
            meetingDate: world.now + 0,
            aiName: 'ai.txt',
          });
          await stores.enrichments.put({
            objectId: id,
            version: object.version,
            model: 'builtin',
            language: 'en',
            title: 'T',
            description: '',
            summary: 'S',
            docType: 'invoice',
            keywords: ['k', 'слово'],
            entities: { dates: ['2026-01-01'], odd: { deep: [1, null, true] } },
          });
        });
      case 'role':
        return agents.createAgent(caller, {
          slug: SLUGS[each.which] ?? '',
          name: toPlainName([...each.text].slice(0, 20).join('')) || 'Nobody',
          persona: `You say: ${each.text}`,
          description: each.text,
          icon: '⚓',
          toolsets: TOOLSETS.slice(0, each.which),
        });
      case 'activate':
        return agents.activateAgent(caller, SLUGS[each.which] ?? '');
      case 'unrole':
        return agents.deleteAgent(caller, SLUGS[each.which] ?? '');
      case 'settings':
        return backend.uow.write(caller.scope, ({ settings }) =>
          settings.put({
            autoRenameMode: 'auto',
            calendarRemindersMessenger: true,
            chatMemory: false,
            proactive: true,
            timezone: 'Europe/Berlin',
            ui: JSON.parse(
              JSON.stringify({ note: each.text }).replace('{', '{"__proto__":1,'),
            ) as Settings['ui'],
            prefs: { deep: [[{ x: each.text }]] },
          }),
        );
    }
  };
  for (const [i, each] of deeds.entries()) {
    world.now += 1_000 + i;
    world.step(1 + i);
    await act(each).catch((error: unknown) => {
      if ((error as { kind?: string }).kind === undefined) throw error;
    });
    await world.runPendingTasks();
  }
  world.step(50_000);
}

/** By number. The first four can be created, the fifth can only be active. */
const SLUGS = ['a', 'skipper', '0-1', 'activate', 'planner', 'custom', 'none'];

const SEARCHES = [
  'harbour',
  'lantern copper',
  'река',
  '合同',
  'suggested',
  '-river meadow',
  'tax*',
];

/** Everything except when and by whom it was created. */
async function storyOf(bytes: Buffer): Promise<unknown> {
  const files = new Map(await filesOf(bytes));
  const manifest = JSON.parse(files.get('manifest.json') ?? '') as Record<string, unknown>;
  expect(manifest['left_out']).to.deep.equal([]);
  files.delete('manifest.json');
  return { entries: manifest['entries'], counts: manifest['counts'], files: [...files] };
}

/** Two themes may have the same name, and so may folders in them; each is distinct. */
const NAMESAKES: Deed[] = [
  { do: 'theme', name: 'Taxes', hidden: false },
  { do: 'theme', name: 'taxes', hidden: false },
  { do: 'folder', name: 'CON', which: 0 },
  { do: 'folder', name: 'con', which: 1 },
  { do: 'file', name: 'x.md', text: 'harbour', which: 1 },
  { do: 'file', name: 'X.md', text: 'harbour', which: 2 },
];

const byName = new Map(backends);

function law(names: readonly string[], numRuns: number): void {
  const opens = names.map((each) => byName.get(each));
  if (opens.some((open) => !open)) return;
  it(`${names.join(' → ')}: an imported export is the same workspace`, async function () {
    this.timeout(240_000);
    const places = await Promise.all(opens.map((open) => open!()));
    let run = 0;
    const begin = async (backend: Backend, role: string): Promise<CoreFixture> =>
      openCoreFixture(
        backend,
        `law-${names.join('-')}-${++run}-${role}-${process.pid}-${Date.now()}`,
      );
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 25 }), async (deeds) => {
          const first = await begin(places[0]!, 'first');
          await live(first, places[0]!, deeds);
          const archive = await exported(first, first.caller);
          // An import makes no role active.
          await first.core.agents.deactivateAgent(first.caller);
          const rows = await rowsOf(places[0]!, first);
          const seen = await seenBy(first, first.caller, SEARCHES);
          let last = archive;
          for (const place of places.slice(1)) {
            const next = await begin(place, 'next');
            next.now = first.now;
            next.step(90_000);
            const reported = await imported(next, next.caller, last);
            await next.runPendingTasks();
            expect(reported.newIds).to.equal(0);
            expect(reported.tallies.objects).to.deep.include({
              created: rows.objects.length,
              unchanged: 0,
            });
            same(rows, await rowsOf(place, next));
            same(seen, await seenBy(next, next.caller, SEARCHES));
            const again = await imported(next, next.caller, last);
            expect(again.newIds).to.equal(0);
            for (const tally of Object.values(again.tallies))
              expect(tally).to.deep.include({ created: 0, merged: 0 });
            same(rows, await rowsOf(place, next));
            expect(await blobCount(next)).to.equal(await blobCount(first));
            last = await exported(next, next.caller);
          }
          expect(await storyOf(last)).to.deep.equal(await storyOf(archive));
        }),
        { numRuns, examples: [[NAMESAKES]] },
      );
    } finally {
      for (const place of places) await place.close();
    }
  });
}

/** Nothing is left over: no archive, no unneeded bytes. */
async function blobCount({ blobs }: CoreFixture): Promise<number> {
  let count = 0;
  for await (const { blobId } of blobs.list()) count += blobId === '' ? 0 : 1;
  return count;
}

describe('export and import', () => {
  law(['memory', 'memory'], 60);
  law(['sqlite', 'postgres', 'sqlite'], 6);

  it('separates hidden data from callers who have not unlocked the zone', async () => {
    const backend = await byName.get('memory')?.();
    if (!backend) return;
    const world = await openCoreFixture(backend);
    const { core, caller } = world;
    const theme = await core.library.createTheme(caller, { name: 'Veiled theme', isHidden: true });
    const { collection } = await core.library.createCollection(caller, {
      name: 'Plain folder',
      themeId: theme.theme.id,
    });
    await core.objects.addNote(caller, {
      content: 'veiled words',
      isHidden: true,
      collectionId: collection.id,
    });
    await core.objects.addNote(caller, { content: 'plain words', collectionId: collection.id });
    await world.runPendingTasks();
    await core.conversations.ask(caller, { question: 'plain veiled words' });
    const whole = [...(await filesOf(await exported(world, caller))).entries()].join('\n');
    expect(whole).to.include('hidden/Veiled theme/Plain folder/veiled words.md');
    const secret = await core.hiddenZone.setPin(caller, { pin: '1234' });
    const unlocked: Caller = { ...caller, hiddenToken: secret.token };
    const open = [...(await filesOf(await exported(world, unlocked))).entries()].join('\n');
    expect(open).to.include('hidden/Veiled theme/Plain folder/veiled words.md');
    const closed = [...(await filesOf(await exported(world, caller))).entries()].join('\n');
    expect(closed).to.include('files/Plain folder/plain words.md');
    expect(closed.replaceAll('plain veiled words', '')).not.to.match(/veiled/i);
    for (const archive of [whole, open, closed]) expect(archive).not.to.match(/1234|pin_hash|owt_/);
    await backend.close();
  });
});

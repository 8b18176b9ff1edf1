import { expect } from 'chai';
import fc from 'fast-check';
import { InProcessChangeFeed } from '../../adapters/inprocess/change-feed.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { backends, type Backend } from '../backends.ts';
import { aShare } from '../samples.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

/** Operations on visible objects; the same in both worlds. */
type Step =
  | { readonly do: 'note'; readonly words: readonly string[]; readonly folder: boolean }
  | { readonly do: 'trash' | 'erase' | 'restore'; readonly which: number }
  | { readonly do: 'rename'; readonly which: number; readonly words: readonly string[] }
  | { readonly do: 'ask'; readonly words: readonly string[] }
  | { readonly do: 'read notifications' };

/** Additional operations in one world only, all on hidden objects. */
interface Beside {
  readonly after: number;
  readonly words: readonly string[];
  readonly folder: boolean;
  readonly then: (typeof THEN)[number];
}

const THEN = [
  'stays',
  'trash',
  'erase',
  'moves',
  'edited',
  'told',
  'shared',
  'asked about',
  'attached',
] as const;

const WORDS = 'harbour lantern invoice meadow copper winter договор река 合同'.split(' ');
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 });
const which = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('note'), words, folder: fc.boolean() }) },
  fc.record({ do: fc.constantFrom('trash', 'erase', 'restore'), which }),
  fc.record({ do: fc.constant('rename'), which, words }),
  fc.record({ do: fc.constant('ask'), words }),
  fc.record({ do: fc.constant('read notifications') }),
);
const beside: fc.Arbitrary<Beside> = fc.record({
  after: fc.nat(8),
  words,
  folder: fc.boolean(),
  then: fc.constantFrom(...THEN),
});

const text = (list: readonly string[]) => `${list.join(' ')}. It is about ${list.join(' and ')}.`;

/**
 * The output with each id replaced by the order of its first appearance. Locations of bytes are internal to the
 * store.
 */
function told(answers: unknown): string {
  const ids = new Map<string, string>();
  const json = JSON.stringify(answers, (key, value: unknown) => (key === 'blobId' ? 0 : value), 1);
  return json.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size}`);
    return ids.get(id) ?? id;
  });
}

/** Errors are compared like results. */
const answerOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    const { kind, code, details } = error as DomainError;
    if (kind === undefined) throw error;
    return { kind, code, details };
  });

async function sequentially<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const item of items) answers.push(await answerOf(work(item)));
  return answers;
}

async function live(
  backend: Backend,
  name: string,
  steps: readonly Step[],
  extras: readonly Beside[],
) {
  const changes = new InProcessChangeFeed('feed');
  const world = await openCoreFixture(backend, name, { changes });
  const { core, caller } = world;
  const answers: unknown[] = [];
  // What a stream of changes sends, and what makes it check its caller.
  const streamed: unknown[] = [];
  await changes.subscribe(caller.scope.ownerId, {
    changed: ({ visible, access, cursors }) => {
      if (visible.length > 0 || access) streamed.push([visible, access, cursors.visible]);
    },
    ended: () => undefined,
  });
  world.step(0);
  const folder = (await core.library.createCollection(caller, { name: 'Folder' })).collection.id;
  const shared = await core.shares.createShare(caller, {
    kind: 'folder',
    resourceId: folder,
    role: 'viewer',
    name: 'Link',
  });
  const ids: string[] = [];
  const secret = await core.hiddenZone.setPin(caller, { pin: '1234' });
  const unlocked: Caller = { ...caller, hiddenToken: secret.token };
  for (const [i, each] of steps.entries()) {
    world.now += 1_000;
    world.step(1 + i);
    const id = ids[('which' in each ? each.which : 0) % Math.max(1, ids.length)] ?? '';
    if (each.do === 'note') {
      const place = each.folder ? { collectionId: folder } : {};
      const view = await core.objects.addNote(caller, { content: text(each.words), ...place });
      ids.push(view.object.id);
    } else if (each.do === 'read notifications')
      answers.push(await core.notifications.markNotificationsRead(caller, []));
    else if (each.do === 'ask')
      answers.push(await core.conversations.ask(caller, { question: each.words.join(' ') }));
    else if (ids.length > 0) {
      const { objects } = core;
      const work = {
        trash: () => objects.deleteObject(caller, id, false),
        erase: () => objects.deleteObject(caller, id, true),
        restore: () => objects.restoreObject(caller, id),
        rename: () =>
          objects.editObject(caller, id, { filename: 'words' in each ? each.words.join(' ') : '' }),
      }[each.do];
      answers.push(await answerOf(work()));
    }
    await world.runPendingTasks();
    for (const [n, extra] of extras.entries())
      if (extra.after === i) {
        world.step(10_000 + n);
        await hide(backend, world, unlocked, folder, extra);
      }
  }
  world.step(20_000);
  return [...answers, await seen(world, folder, shared.token ?? ''), streamed];
}

async function hide(
  backend: Backend,
  world: CoreFixture,
  unlocked: Caller,
  folder: string,
  extra: Beside,
): Promise<void> {
  const { objects } = world.core;
  const place = extra.folder ? { collectionId: folder } : {};
  const note = { content: text(extra.words), isHidden: true, ...place };
  const { object } = await objects.addNote(unlocked, note);
  await world.runPendingTasks();
  if (extra.then === 'trash') await objects.deleteObject(unlocked, object.id, false);
  if (extra.then === 'erase') await objects.deleteObject(unlocked, object.id, true);
  if (extra.then === 'moves') await objects.moveObject(unlocked, object.id, folder);
  if (extra.then === 'edited')
    await objects.saveText(unlocked, object.id, { content: 'copper lantern', baseVersion: 1 });
  if (extra.then === 'shared') {
    // Like a share that was created before its object was hidden.
    const share = aShare({ kind: 'file', resourceId: object.id });
    const { shares } = world.core;
    await backend.uow.write(world.caller.scope, (stores) => stores.shares.save(share));
    const page = { limit: 9, offset: 0, resourceId: object.id };
    expect((await shares.listShares(unlocked, page)).total).to.equal(1);
  }
  if (extra.then === 'asked about' || extra.then === 'attached')
    await converse(world, unlocked, object.id, extra);
  if (extra.then === 'told') await handleEvent(world, unlocked, object.id);
  await world.runPendingTasks();
}

/** A conversation about a hidden object, which outlives it. */
async function converse(
  world: CoreFixture,
  unlocked: Caller,
  objectId: string,
  { words: said, then }: Beside,
): Promise<void> {
  const { core } = world;
  const { conversations } = core;
  const content = said.join(' ');
  if (then === 'attached') {
    // Begun with the object: an empty conversation would be visible, and its change published.
    const asked = { question: content, objectIds: [objectId] };
    const { session } = await conversations.ask(unlocked, asked);
    const id = session?.id ?? '';
    await conversations.addTurn(unlocked, id, { content, attachments: [objectId] });
    const listed = async (who: Caller) =>
      (await conversations.listChats(who, { limit: 100, offset: 0 })).items.map((each) => each.id);
    expect(await listed(unlocked)).to.include(id);
    expect(await listed(world.caller)).not.to.include(id);
  } else {
    const { session } = await conversations.ask(unlocked, {
      question: content,
      objectIds: [objectId],
    });
    await conversations.addTurn(unlocked, session?.id ?? '', { content: 'lantern' });
  }
  if (said.length % 2 === 0) await core.objects.deleteObject(unlocked, objectId, true);
}

/** Reads and deletes notifications of a hidden object. */
async function handleEvent({ core }: CoreFixture, unlocked: Caller, id: string): Promise<void> {
  const page = { unreadOnly: false, limit: 100, offset: 0 };
  const { items } = await core.notifications.listNotifications(unlocked, page);
  const [mine] = items.filter(({ objectId }) => objectId === id);
  if (!mine) throw new Error('No notification arrived.');
  await core.notifications.markNotificationsRead(unlocked, [mine.id]);
  await core.notifications.deleteNotification(unlocked, mine.id);
}

/** The same in both worlds except for random values. */
const withoutSecrets = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      key === 'digest' || key === 'prefix' ? '' : value,
    ),
  );

/** Everything that is readable without the unlock token. */
async function seen(
  { core, caller }: CoreFixture,
  folder: string,
  token: string,
): Promise<unknown> {
  const page = { limit: 100, offset: 0 };
  const list = (listing: object) => answerOf(core.objects.listObjects(caller, listing, page));
  const search = (q: string) => answerOf(core.search.searchObjects(caller, { q, ...page }));
  return {
    lists: await Promise.all(
      [
        {},
        { includeHidden: true },
        { hiddenOnly: true },
        { trashed: true },
        { trashed: true, includeHidden: true },
        { collectionId: folder },
        { uncategorized: true },
        { notesOnly: true },
        { docType: 'note' },
        { kind: 'note', isLink: false },
      ].map(list),
    ),
    searches: await Promise.all([...WORDS, '"copper lantern"', '-river meadow', 'h*'].map(search)),
    answers: await sequentially(WORDS, (word) =>
      core.conversations.ask(caller, { question: word }),
    ),
    folders: await core.library.listCollections(caller, page),
    chats: await core.conversations.listChats(caller, page),
    inFolder: await core.conversations.listChats(caller, { ...page, collectionId: folder }),
    oldest: await core.conversations.listChats(caller, { limit: 2, offset: 1 }),
    asked: await core.conversations.recentQueries(caller, { days: 7, limit: 100 }),
    notifications: await core.notifications.listNotifications(caller, {
      unreadOnly: false,
      ...page,
    }),
    unread: await core.notifications.listNotifications(caller, { unreadOnly: true, ...page }),
    polled: await core.notifications.notificationsTag(caller),
    zone: await core.hiddenZone.pinState(caller),
    events: await core.securityEvents.listSecurityEvents(caller, { limit: 200 }),
    shares: withoutSecrets(await core.shares.listShares(caller, page)),
    visited: withoutSecrets(
      await core.shares.visitShare({ address: '192.0.2.1', counts: false }, token, page),
    ),
  };
}

for (const [name, open] of backends)
  it(`${name}: two worlds that differ only in hidden objects give the same responses while the zone is locked`, async function () {
    this.timeout(120_000);
    const backend = await open();
    let run = 0;
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 9 }),
          fc.array(beside, { minLength: 1, maxLength: 5 }),
          async (steps, extras) => {
            // Both owners are in one database: neither may learn of the other.
            const salt = `${name}-${++run}-${process.pid}-${Date.now()}`;
            const one = await live(backend, `${salt}-a`, steps, []);
            const other = await live(backend, `${salt}-b`, steps, extras);
            expect(told(other)).to.equal(told(one));
          },
        ),
        { numRuns: name === 'memory' ? 60 : 15 },
      );
    } finally {
      await backend.close();
    }
  });

import { expect } from 'chai';
import { openCoreFixture, type CoreFixture } from '../core/core-fixture.ts';
import {
  ROW_CHECKS,
  type ChainPosition,
  type Finding,
  type OwnedSecurityEvent,
  type RowCheck,
} from '../../ports/integrity.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anEvent } from '../calendar-samples.ts';
import { aChain } from '../sign-in-samples.ts';
import {
  aBot,
  aBotChat,
  aBotMember,
  aNotification,
  aMessage,
  anOfficeSession,
  anUpload,
  aShare,
  aTask,
  newId,
  newScope,
} from '../samples.ts';

const GONE = '00000000-0000-7000-8000-000000000000';

const A_RUN = {
  scope: 'all',
  dryRun: false,
  state: 'SUCCESS',
  phase: '',
  planned: true,
  total: 1,
  processed: 1,
  moved: 1,
  skipped: 0,
  createdFolders: 0,
  createdThemes: 0,
  createdAt: 0,
  updatedAt: 0,
} as const;

/** The contract of every Inspection. The backend has to be empty, since all of it is checked. */
export function integrityChecksContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());
  // Everything is examined owner by owner: without its row, the workspace of an earlier test takes no time.
  afterEach(() => backend.damage?.run('delete from owners', []));

  const everything = async (): Promise<readonly Finding[]> => {
    const findings: Finding[] = [];
    for (const check of ROW_CHECKS) findings.push(await backend.integrity.examine(check));
    return findings;
  };

  /** A workspace with some data of every kind. */
  async function lived(): Promise<CoreFixture & { note: string; folder: string; theme: string }> {
    // With a webhook, so that pending tasks need not poll a platform.
    const publicUrl = () => 'https://workspace.test';
    const world = await openCoreFixture(backend, undefined, { publicUrl });
    const { core, caller } = world;
    const { theme } = await core.library.createTheme(caller, { name: 'Theme' });
    const { collection } = await core.library.createCollection(caller, {
      name: 'Folder',
      themeId: theme.id,
    });
    const [file] = await core.objects.addFiles(caller, [await world.file('a.txt', 'Lanterns.')], {
      collectionId: collection.id,
    });
    await core.objects.addFiles(caller, [await world.file('twin.txt', 'Lanterns.')], {});
    const note = await core.objects.addNote(caller, { content: 'Boats. Harbours.' });
    const hidden = await core.objects.addNote(caller, { content: 'Secret.', isHidden: true });
    const erased = await core.objects.addNote(caller, { content: 'Gone.' });
    await world.runPendingTasks();
    await core.objects.saveText(caller, note.object.id, { content: 'Boats.', baseVersion: 1 });
    await core.objects.restoreVersion(caller, note.object.id, 1);
    await core.processing.correctText(caller, note.object.id, { text: 'Ships.', baseVersion: 3 });
    await core.objects.deleteObject(caller, hidden.object.id, false);
    await core.objects.deleteObject(caller, erased.object.id, true);
    await core.organize.startReorganization(caller, { scope: 'all', dryRun: true });
    const upload = await core.uploads.createUpload(caller, {
      size: 9,
      metadata: '',
      relativePath: 'Charts/North/fjord.txt',
    });
    for (const [offset, text] of [
      [0, 'Fjo'],
      [3, 'rds.'],
    ] as const)
      await core.uploads.appendToUpload(caller, upload.id, {
        offset,
        bytes: (async function* () {
          yield await Promise.resolve(Buffer.from(text));
        })(),
        requireSender: () => Promise.resolve(),
      });
    await core.objects.moveObject(caller, note.object.id, collection.id);
    await core.conversations.ask(caller, { question: 'Where are lanterns?' });
    await core.conversations.createChat(caller, { collectionId: collection.id });
    const { event } = await core.calendar.createEvent(caller, {
      title: 'Tides',
      startsAt: { local: world.now, offsetMinutes: 0 },
      endsAt: { local: world.now, offsetMinutes: 0 },
      rrule: 'FREQ=DAILY',
      reminders: [0],
    });
    const first = { local: world.now, offsetMinutes: 0 };
    await core.calendar.excludeOccurrence(caller, event.id, first);
    await core.calendar.openFeed(caller);
    world.platform.account('a token', { accountId: aBot().accountId });
    const { bot } = await core.bots.registerBot(caller, { platform: 'telegram', token: 'a token' });
    const from = { userId: 1n, displayName: 'Ada', username: '', isBot: false };
    const group = { chatId: -1n, title: 'Harbour' };
    world.platform.tells('a token', { type: 'message', group, from });
    for (const body of world.platform.bring('a token'))
      await core.bots.receiveUpdate({ bot, scope: caller.scope }, body);
    for (const slug of ['skipper', 'gone', 'clerk'])
      await core.agents.createAgent(caller, { slug, name: 'N', persona: 'P' });
    await core.agents.activateAgent(caller, 'gone');
    await core.agents.deleteAgent(caller, 'gone');
    await core.agents.activateAgent(caller, 'skipper');
    const share = { role: 'viewer', name: '', password: 'pass' } as const;
    for (const [kind, resourceId] of [
      ['folder', collection.id],
      ['file', note.object.id],
    ] as const) {
      const { token } = await core.shares.createShare(caller, { ...share, kind, resourceId });
      const visitor = { address: '192.0.2.1', counts: true };
      await core.shares.visitShare(visitor, token ?? '', { limit: 1, offset: 0 });
      await core.shares.unlockShare(visitor, token ?? '', 'pass');
      await core.shares.unlockShare(visitor, token ?? '', 'wrong').catch(() => undefined);
    }
    const toy = 'picture png q9 2x1 ab';
    const [picture] = await core.objects.addFiles(caller, [await world.file('p.png', toy)], {});
    for (const angle of [90, 180] as const)
      await core.imaging.requestImageOperation(caller, picture?.object.id ?? '', {
        op: 'rotate',
        angle,
      });
    await world.runPendingTasks();
    expect(file?.object.collectionId).to.equal(collection.id);
    return Object.assign(world, {
      note: note.object.id,
      folder: collection.id,
      theme: theme.id,
    });
  }

  /** The increase of each finding after a change to the stores of one workspace. */
  async function spoiled(
    world: CoreFixture,
    spoil: (stores: Stores) => Promise<unknown>,
  ): Promise<Partial<Record<RowCheck, number>>> {
    const before = await everything();
    await backend.uow.write(world.caller.scope, spoil);
    return grown(world, before);
  }

  async function grown(world: CoreFixture, before: readonly Finding[]) {
    const found: Partial<Record<RowCheck, number>> = {};
    for (const [i, { name, count, examples }] of (await everything()).entries()) {
      const more = count - (before[i]?.count ?? 0);
      if (more === 0) continue;
      found[name as RowCheck] = more;
      if (before[i]?.count === 0)
        for (const example of examples)
          expect(example).to.match(new RegExp(`^(${world.caller.owner.id}|search)/`));
    }
    return found;
  }

  it('Data written only by operations of the service has no findings, and every check runs', async () => {
    await lived();
    expect(await everything()).to.deep.equal(
      ROW_CHECKS.map((name) => ({ name, count: 0, examples: [] })),
    );
  });

  it("A row whose object, folder, theme or chat is missing is found, with the owner's id in the example", async () => {
    const world = await lived();
    const { caller, core, note, folder } = world;
    await core.objects.saveText(caller, note, { content: 'Unread.', baseVersion: 3 });
    await core.processing.correctText(caller, note, { text: 'Ships.', baseVersion: 4 });
    await core.objects.updateMany(caller, [note], { action: 'categorize', categories: ['x'] });
    await backend.uow.write(
      caller.scope,
      async ({ links, thumbnails, officeSessions, reorganizations }) => {
        const facts = { finalUrl: '', title: '', siteName: '', description: '', image: null };
        await links.put({ objectId: note, ...facts, fetchedAt: 0 });
        const bytes = { blobId: `thumbnail of ${note}`, sha256: 'a'.repeat(64), size: 1 };
        const created = { contentHash: 'b'.repeat(64), maxSidePixels: 64, createdAt: 0 };
        await thumbnails.put({ objectId: note, ...bytes, ...created });
        await officeSessions.save(anOfficeSession({ objectId: note }));
        await reorganizations.save({ ...A_RUN, id: note });
        const move = { objectId: note, ord: 0, from: null, to: folder } as const;
        await reorganizations.saveMove(note, { ...move, state: 'moved', undone: false });
      },
    );
    expect(await spoiled(world, (s) => s.objects.remove(note))).to.deep.equal({
      versions_without_object: 4,
      texts_without_object: 1,
      corrections_without_object: 1,
      enrichments_without_object: 1,
      previews_without_object: 1,
      thumbnails_without_object: 1,
      office_sessions_without_object: 1,
      moves_without_object: 1,
      bulk_items_without_object: 1,
      notifications_without_object: 2,
      shares_without_resource: 1,
      tasks_without_object: 1,
      search_entries_without_object: 1,
    });
    expect(await spoiled(world, (s) => s.collections.remove(folder))).to.deep.equal({
      objects_without_folder: 1,
      chats_without_folder: 1,
      shares_without_resource: 1,
    });
    const another = await lived();
    expect(await spoiled(another, (s) => s.themes.remove(another.theme))).to.deep.equal({
      folders_without_theme: 1,
    });
    const stray = await spoiled(world, ({ chats }) =>
      chats.addMessage(aMessage({ id: GONE, sessionId: GONE })),
    );
    expect(stray).to.deep.equal({ messages_without_chat: 1 });
    const held = { objectId: GONE, isHidden: false };
    expect(await spoiled(world, (s) => s.chats.addObjects(GONE, [held]))).to.deep.equal({
      chat_objects_without_chat: 1,
    });
  });

  it('A reorganization without its task, and a task, a move or a planned folder without its run, are found', async () => {
    const world = await lived();
    const { caller, core, note } = world;
    const { taskId } = await core.organize.startReorganization(caller, {
      scope: 'all',
      dryRun: false,
    });
    expect(await spoiled(world, (s) => s.tasks.remove(taskId))).to.deep.equal({
      reorganizations_without_task: 1,
    });
    const place = { name: '', description: '', icon: '', themeId: null, resolvedId: null };
    const stray = await spoiled(world, async ({ reorganizations, tasks }) => {
      const move = { objectId: note, ord: 0, from: null, to: GONE } as const;
      await reorganizations.saveMove(GONE, { ...move, state: 'moved', undone: false });
      await reorganizations.savePlace(GONE, { id: GONE, kind: 'folder', ...place });
      await tasks.save({
        id: newId(),
        kind: 'objects.reorganize',
        subject: GONE,
        payload: {},
        state: 'failed',
        attempts: 3,
        dueAt: 0,
        leaseUntil: null,
        error: null,
        createdAt: 0,
      });
    });
    expect(stray).to.deep.equal({
      tasks_without_reorganization: 1,
      moves_without_reorganization: 1,
      places_without_reorganization: 1,
    });
  });

  it('A bulk run without its task, and a task, an item or a count without its run, are found', async () => {
    const world = await lived();
    const { caller, core, note } = world;
    const { taskId } = await core.objects.updateMany(caller, [note], { action: 'trash' });
    expect(await spoiled(world, (s) => s.tasks.remove(taskId))).to.deep.equal({
      bulk_runs_without_task: 1,
    });
    const stray = await spoiled(world, async ({ bulkRuns, tasks }) => {
      const item = { objectId: note, ord: 0, isHidden: false, outcome: 'done', change: null };
      await bulkRuns.saveItems(GONE, [item]);
      await bulkRuns.addCounts(GONE, [{ isHidden: false, outcome: 'done', count: 1 }]);
      await tasks.save(aTask({ id: newId(), kind: 'objects.bulk', subject: GONE }));
    });
    expect(stray).to.deep.equal({
      bulk_items_without_run: 1,
      bulk_counts_without_run: 1,
      tasks_without_bulk_run: 1,
    });
  });

  it('A task without an object is not reported if its kind needs none', async () => {
    const world = await lived();
    const kinds = ['storage.migrate', 'blob.remove', 'credit-referral'];
    const found = await spoiled(world, async ({ tasks }) => {
      for (const kind of kinds) {
        const id = newId();
        const times = { dueAt: 0, leaseUntil: null, createdAt: 0 } as const;
        const rest = { payload: {}, state: 'waiting', attempts: 0, error: null } as const;
        await tasks.save({ id, kind, subject: id, ...times, ...rest });
      }
    });
    expect(found).to.deep.equal({});
  });

  it('An image with waiting operations and no task for the first of them, and an operation without its object, are found', async () => {
    const world = await lived();
    const { note } = world;
    const operation = { op: 'rotate', angle: 90 } as const;
    const requested = { operation, state: 'accepted', error: null, version: null } as const;
    const times = { createdAt: 0, updatedAt: 0 };
    const [first, second] = [newId(), newId()];
    const found = await spoiled(world, async ({ imageOperations }) => {
      for (const id of [first, second])
        await imageOperations.save({ id, objectId: note, ...requested, ...times });
      const ended = { ...requested, state: 'done' } as const;
      await imageOperations.save({ id: newId(), objectId: GONE, ...ended, ...times });
    });
    expect(found).to.deep.equal({
      image_operations_without_task: 1,
      image_operations_without_object: 1,
    });
  });

  it('An exception without its event, and an event with a duplicate number or one not yet assigned, are found', async () => {
    const world = await lived();
    const stray = await spoiled(world, ({ calendar }) =>
      calendar.saveException({ eventId: GONE, original: 0, changes: null, span: null }),
    );
    expect(stray).to.deep.equal({ exceptions_without_event: 1 });
    const taken = anEvent({ number: 1 });
    expect(await spoiled(world, (s) => s.calendar.save(taken))).to.deep.equal({ event_numbers: 1 });
    const ahead = await spoiled(world, (s) => s.calendar.save({ ...taken, number: 9 }));
    expect(ahead, 'still wrong, for another reason').to.deep.equal({});
    expect(await spoiled(world, (s) => s.calendar.skipTo(9))).to.deep.equal({ event_numbers: -1 });
  });

  it('An active agent role that does not exist is found', async () => {
    const world = await lived();
    expect(await spoiled(world, (s) => s.agentRoles.remove('clerk'))).to.deep.equal({});
    expect(await spoiled(world, (s) => s.agentRoles.remove('skipper'))).to.deep.equal({
      active_without_role: 1,
    });
    expect(await spoiled(world, (s) => s.agentRoles.activate('planner'))).to.deep.equal({
      active_without_role: -1,
    });
  });

  it('A share without its object or folder, and visitor accesses and attempts without their share, are found', async () => {
    const world = await lived();
    const share = aShare();
    expect(await spoiled(world, (s) => s.shares.save(share))).to.deep.equal({
      shares_without_resource: 1,
    });
    // A folder is not found by the id of an object.
    const wrong = { ...share, resourceId: world.note };
    expect(await spoiled(world, (s) => s.shares.save(wrong))).to.deep.equal({});
    expect(await spoiled(world, (s) => s.shares.remove(share.id))).to.deep.equal({
      shares_without_resource: -1,
    });
    const stray = await spoiled(world, async ({ shares }) => {
      await shares.addAccess({ shareId: GONE, digest: 'd', expiresAt: 1 });
      await shares.saveAttempts({
        shareId: GONE,
        visitor: 'v',
        attemptTimes: [1],
        reservedAt: null,
        expiresAt: 1,
      });
    });
    expect(stray).to.deep.equal({ accesses_without_share: 1, tries_without_share: 1 });
  });

  it('A bot without its update task, a task or a group without its bot, a member without its group, and a group with a wrong member count are found', async () => {
    const world = await lived();
    const bot = aBot();
    expect(await spoiled(world, (s) => s.bots.add(bot))).to.deep.equal({ bots_without_task: 1 });
    const task = aTask({ kind: 'bot.updates', subject: bot.id });
    expect(await spoiled(world, (s) => s.tasks.save(task))).to.deep.equal({
      bots_without_task: -1,
    });
    const member = aBotMember();
    expect(await spoiled(world, (s) => s.bots.saveMembers(bot.id, [member]))).to.deep.equal({
      members_without_group: 1,
    });
    expect(await spoiled(world, (s) => s.bots.saveChats(bot.id, [aBotChat()]))).to.deep.equal({
      members_without_group: -1,
      group_counts: 1,
    });
    const counted = aBotChat({ knownCount: 1 });
    expect(await spoiled(world, (s) => s.bots.saveChats(bot.id, [counted]))).to.deep.equal({
      group_counts: -1,
    });
    const stray = await spoiled(world, async ({ bots, tasks }) => {
      await bots.saveChats(GONE, [aBotChat()]);
      await tasks.save(aTask({ kind: 'bot.remind', subject: GONE }));
    });
    expect(stray).to.deep.equal({ groups_without_bot: 1, tasks_without_bot: 1 });
  });

  it('An object without its version, its search entry or its correction is found', async () => {
    const world = await lived();
    const { note } = world;
    expect(await spoiled(world, (s) => s.texts.removeCorrection(note))).to.deep.equal({
      correction_flags: 1,
    });
    expect(await spoiled(world, (s) => s.search.drop(note))).to.deep.equal({
      objects_without_search_entry: 1,
    });
    expect(await spoiled(world, (s) => s.versions.removeAll(note))).to.deep.equal({
      objects_without_version: 1,
      contents_refs: 2,
    });
    const other = await lived();
    const older = await spoiled(other, async ({ objects }) => {
      const object = await objects.find(other.note);
      if (object) await objects.save({ ...object, version: 9 });
    });
    expect(older).to.deep.equal({ objects_without_version: 1 });
  });

  it('A part without its upload, and an upload with more or fewer bytes than its parts, are found', async () => {
    const world = await lived();
    const upload = anUpload({ received: 10 });
    const part = { start: 0, size: 10, sha256: 'c'.repeat(64) };
    const kept = { sha256: part.sha256, size: 10, blobId: `part ${upload.id}` };
    const added = await spoiled(world, async ({ uploads, contents }) => {
      await uploads.save(upload);
      await contents.retain(kept);
      await uploads.addPart(upload.id, part);
    });
    expect(added).to.deep.equal({});
    const grows = await spoiled(world, ({ uploads }) => uploads.save({ ...upload, received: 11 }));
    expect(grows).to.deep.equal({ upload_bytes: 1 });
    const goes = await spoiled(world, async ({ uploads }) => {
      await uploads.remove(upload.id);
      await uploads.addPart(upload.id, part);
    });
    expect(goes).to.deep.equal({ upload_bytes: -1, parts_without_upload: 1 });
    const rest = await spoiled(world, ({ uploads }) => uploads.removeParts(upload.id, 0));
    expect(rest).to.deep.equal({ parts_without_upload: -1, contents_refs: 1 });
  });

  it('A content with a wrong reference count is found, and so is a version without its content', async () => {
    const world = await lived();
    const { contentHash, size, blobId } = await backend.uow.read(world.caller.scope, async (s) => {
      const object = await s.objects.find(world.note);
      if (!object) throw new Error('There should be a note.');
      return object;
    });
    const content = { sha256: contentHash, size, blobId };
    expect(await spoiled(world, (s) => s.contents.retain(content))).to.deep.equal({
      contents_refs: 1,
    });
    const release = (s: Stores) => s.contents.release(contentHash);
    expect(await spoiled(world, release)).to.deep.equal({ contents_refs: -1 });
    expect(await spoiled(world, release)).to.deep.equal({ contents_refs: 1 });
    expect(await spoiled(world, release)).to.deep.equal({ versions_content: 2 });
    expect(
      await spoiled(world, (s) => s.contents.retain({ ...content, sha256: 'f'.repeat(64) })),
    ).to.deep.equal({ contents_refs: 1 });
    if (!backend.damage) return;
    const before = await everything();
    await backend.damage.run('update contents set refs = 0 where owner_id = ? and sha256 = ?', [
      world.caller.owner.id,
      'f'.repeat(64),
    ]);
    expect(await grown(world, before), 'has no references and still exists').to.deep.equal({});
  });

  it('A search entry in another zone than its object, and passages or terms without their object, are found', async () => {
    const world = await lived();
    const misplaced = await spoiled(world, async ({ objects, search }) => {
      const object = await objects.find(world.note);
      if (!object) return;
      const { id: objectId, kind, docType, createdAt } = object;
      await search.place({
        objectId,
        kind,
        docType,
        createdAt,
        collectionId: null,
        zone: 'visible',
        head: [],
      });
    });
    expect(misplaced).to.deep.equal({ search_facts: 1 });
    const exposed = await spoiled(await lived(), async ({ objects, search }) => {
      const { items } = await objects.page(
        { visibility: 'hidden', trashed: true },
        { limit: 1, offset: 0 },
      );
      for (const { id: objectId, kind, docType, createdAt } of items)
        await search.place({
          objectId,
          kind,
          docType,
          createdAt,
          collectionId: null,
          zone: 'hidden',
          head: ['x'],
        });
    });
    expect(exposed).to.deep.equal({ search_facts: 1 });

    const { damage } = backend;
    if (!damage) return;
    const entry = `(select number from search_entries where object_id = '${world.note}')`;
    const done = async (text: string, ...values: string[]) => {
      const before = await everything();
      await damage.run(text, values);
      return grown(world, before);
    };
    // The title row and one passage.
    const key = `= ${entry} * 1048576 + 1`;
    const number = `(select min(number) from search_passages where number ${key})`;
    const id = damage.dialect === 'sqlite' ? 'rowid' : 'number';
    expect(await done(`delete from search_terms where ${id} = ${number}`)).to.deep.equal({
      search_terms: 1,
    });
    expect(await done(`delete from search_passages where number ${key}`)).to.deep.equal({
      search_passages: 1,
      search_terms: -1,
    });
    expect(
      await done('update search_entries set zone = ? where object_id = ?', 'excluded', world.note),
    ).to.deep.equal({
      search_terms: 1,
      search_totals: 2,
    });
    expect(await done(`delete from search_entries where object_id = ?`, world.note)).to.deep.equal({
      objects_without_search_entry: 1,
      passages_without_entry: 1,
      search_facts: -1,
      search_passages: -1,
      search_totals: -1,
    });
  });

  it("A notification whose visibility differs from its object's is found", async () => {
    const world = await lived();
    const { note } = world;
    const place = (isHidden: boolean) => (s: Stores) =>
      s.notifications.setObjectVisibility(note, isHidden, 1);
    expect(await spoiled(world, place(true))).to.deep.equal({ notification_sights: 2 });
    expect(await spoiled(world, place(false))).to.deep.equal({ notification_sights: -2 });
    const stray = aNotification({ isHidden: true });
    expect(await spoiled(world, (s) => s.notifications.add(stray))).to.deep.equal({
      notification_sights: 1,
    });
  });

  it("A chat with objects of another visibility than the objects' own, or than the chat's, is found", async () => {
    const world = await lived();
    const { core, caller, note } = world;
    const objectIds = [note];
    for (const question of ['one', 'two'])
      await core.conversations.ask(caller, { question, objectIds });
    const before = await backend.uow.read(caller.scope, ({ chats }) =>
      chats.page({}, { limit: 100, offset: 0 }),
    );
    const held = await Promise.all(
      before.items.map(({ id }) =>
        backend.uow.read(caller.scope, ({ chats }) => chats.objects(id, { limit: 99, offset: 0 })),
      ),
    );
    const wrong = held.filter((objects) => objects.some(({ objectId }) => objectId === note));
    expect(wrong.length).to.be.at.least(2);
    const set = (isHidden: boolean) => (s: Stores) => s.chats.setObjectVisibility(note, isHidden);
    expect(await spoiled(world, set(true))).to.deep.equal({ chat_sights: wrong.length });
    expect(await spoiled(world, set(false))).to.deep.equal({ chat_sights: -wrong.length });
    if (!backend.damage) return;
    const all = await everything();
    await backend.damage.run('update chat_sessions set is_hidden = 1 where owner_id = ?', [
      caller.owner.id,
    ]);
    expect(await grown(world, all)).to.include({ chat_sights: before.total });
  });

  it('Counters and sums that differ from a recount are found', async () => {
    const world = await lived();
    const { damage } = backend;
    // In memory, counters are computed on demand.
    if (!damage) return expect((await everything()).length).to.equal(ROW_CHECKS.length);
    const owner = world.caller.owner.id;
    for (const [text, expected] of [
      [
        "update object_counts set n = n + 1 where owner_id = ? and folder = '*' and kind = '*' and trashed = 0 and is_hidden = 0",
        { object_counts: 1 },
      ],
      [
        "delete from object_counts where owner_id = ? and folder = '*' and kind = '*' and trashed = 1",
        { object_counts: 1 },
      ],
      [
        "update list_counts set n = n + 1 where owner_id = ? and list = 'tokens'",
        { list_counts: 1 },
      ],
      [
        "update list_counts set n = n - 1 where owner_id = ? and list = 'themes'",
        { list_counts: 1 },
      ],
      [
        "insert into list_counts (owner_id, list, part, n) values (?, 'versions', 'nowhere', 2)",
        { list_counts: 1 },
      ],
      ["delete from list_counts where owner_id = ? and list = 'collections'", { list_counts: 2 }],
      ["delete from list_counts where owner_id = ? and list = 'chats'", { list_counts: 3 }],
      ['update owner_usage set bytes = bytes + 1 where owner_id = ?', { usage_bytes: 1 }],
      ['delete from owner_usage where owner_id = ?', {}],
      [
        'update notification_states set visible_unread = visible_unread + 1, hidden_total = 9 where owner_id = ?',
        { notification_counts: 2 },
      ],
      ['delete from notification_states where owner_id = ?', { notification_counts: 2 }],
      [
        `update objects set suggested = 1 - suggested
         where owner_id = ? and id in (select min(id) from objects group by owner_id)`,
        { object_lists: 1, object_counts: 4 },
      ],
      [
        "insert into object_categories (owner_id, category, trashed, is_hidden, created_at, object_id) values (?, 'tax', 0, 0, 1, 'gone')",
        { object_lists: 1 },
      ],
      [
        `update search_totals set terms = terms + 1 where zone = 'visible' and owner_no in (
           select owner_no from search_owners where owner_id = ?)`,
        { search_totals: 1 },
      ],
    ] as const) {
      const before = await everything();
      await damage.run(text, [owner]);
      expect(await grown(world, before), text).to.deep.equal(expected);
    }
  });

  it('A finding has the total count and a few examples', async () => {
    const world = await openCoreFixture(backend);
    const before = await backend.integrity.examine('objects_without_folder');
    for (let i = 0; i < 7; i++) {
      const { object } = await world.core.objects.addNote(world.caller, { content: `note ${i}` });
      await backend.uow.write(world.caller.scope, (s) =>
        s.objects.save({ ...object, collectionId: GONE }),
      );
    }
    const { count, examples } = await backend.integrity.examine('objects_without_folder');
    expect([count - before.count, examples.length]).to.deep.equal([7, 5]);
  });

  it('`blobReferences` returns every blob that a row refers to, in id order and in pages, with its location', async () => {
    const world = await lived();
    const text = crypto.randomUUID();
    const { object } = await world.core.objects.addNote(world.caller, { content: text });
    const walked: unknown[] = [];
    const ids: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await backend.integrity.blobReferences(after, 2);
      expect(page.length).to.be.at.most(2);
      walked.push(...page);
      ids.push(...page.map(({ blobId }) => blobId));
      if (page.length < 2) break;
      after = ids.at(-1) ?? null;
    }
    expect(ids).to.deep.equal([...new Set(ids)].sort());
    expect(walked).to.deep.include({
      blobId: object.blobId,
      storedAs: object.blobId,
      sha256: object.contentHash,
      size: 36,
      holder: 'contents',
    });
    const copyId = crypto.randomUUID();
    for (const place of ['service', 'own'] as const) {
      await backend.uow.write(world.caller.scope, ({ blobLocations }) =>
        blobLocations.save({
          copyId,
          blobId: object.blobId,
          location: place,
          state: 'current',
          createdAt: 1,
        }),
      );
      const all = await backend.integrity.blobReferences(null, 1_000);
      const mine = all.find(({ blobId }) => blobId === object.blobId);
      expect(mine?.storedAs).to.equal(place === 'own' ? null : copyId);
    }
    await backend.uow.write(world.caller.scope, ({ blobLocations }) =>
      blobLocations.forget(copyId),
    );
  });

  it('`subjects` returns the subjects of unfinished tasks of a kind', async () => {
    const world = await openCoreFixture(backend);
    const { caller, core } = world;
    const { object } = await core.objects.addNote(caller, { content: 'waiting' });
    expect(await backend.integrity.subjects('object.read')).to.include(object.id);
    expect(await backend.integrity.subjects('blob.remove')).not.to.include(object.id);
    await core.objects.deleteObject(caller, object.id, true);
    expect(await backend.integrity.subjects('object.read')).not.to.include(object.id);
    expect(await backend.integrity.subjects('blob.remove')).to.include(object.blobId);
    await world.runPendingTasks();
    expect(await backend.integrity.subjects('blob.remove')).not.to.include(object.blobId);
  });

  it('`securityEvents` returns the events of all owners, field for field, by owner and number, in pages', async () => {
    const scopes = [newScope(), newScope()];
    const chains = await Promise.all(
      scopes.map(async (scope) => {
        const chain = aChain(3).map((event) => ({ ...event, id: newId() }));
        await backend.uow.write(scope, async ({ securityEvents }) => {
          for (const event of chain) await securityEvents.append(event);
        });
        return chain.map((event) => ({ ownerId: scope.ownerId, event }));
      }),
    );
    const walked: OwnedSecurityEvent[] = [];
    for (let after: ChainPosition | null = null; ;) {
      const page: readonly OwnedSecurityEvent[] = await backend.integrity.securityEvents(after, 2);
      expect(page.length).to.be.at.most(2);
      walked.push(...page);
      const last = page.at(-1);
      if (!last || page.length < 2) break;
      after = { ownerId: last.ownerId, seq: last.event.seq };
    }
    const owners = walked.map(({ ownerId }) => ownerId);
    expect(owners).to.deep.equal(owners.toSorted());
    for (const chain of chains)
      expect(walked.filter(({ ownerId }) => ownerId === chain[0]?.ownerId)).to.deep.equal(chain);
  });
}

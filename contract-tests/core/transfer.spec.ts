import { expect } from 'chai';
import type { Caller } from '../../core/shared/caller.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { archiveOf, exported, filesOf, imported, rowsOf, same } from './transfer-fixture.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const said = async (work: Promise<unknown>): Promise<string> => {
  const error = (await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as DomainError | undefined;
  if (!error?.code) throw (error as unknown as Error) ?? new Error('nothing was refused');
  return `${error.code}: ${(error.details['detail'] as string | undefined) ?? error.message}`;
};

const open = backends[0]?.[1];

describe('an import', () => {
  let backend: Backend;
  let world: CoreFixture;
  before(async () => {
    backend = await open!();
    world = await openCoreFixture(backend);
  });
  after(() => backend.close());

  const another = async (): Promise<CoreFixture> => {
    const next = await openCoreFixture(backend);
    next.now = world.now;
    return next;
  };
  const settled = async (at: CoreFixture, content: string, more: object = {}): Promise<string> => {
    const { object } = await at.core.objects.addNote(at.caller, { content, ...more });
    await at.runPendingTasks();
    return object.id;
  };
  const blobs = async (at: CoreFixture) => {
    let count = 0;
    for await (const { blobId } of at.blobs.list()) count += blobId === '' ? 0 : 1;
    return count;
  };
  const counts = ({ tallies }: Awaited<ReturnType<typeof imported>>) =>
    Object.entries(tallies).map(
      ([name, { created, unchanged, merged }]) => `${name} ${created}/${unchanged}/${merged}`,
    );

  const ROLES = 'metadata/agents-000001.jsonl';
  let files: ReadonlyMap<string, string>;
  let archive: Buffer;
  before(async () => {
    const { core, caller } = world;
    const theme = await core.library.createTheme(caller, { name: 'Home' });
    const folder = await core.library.createCollection(caller, {
      name: 'Taxes',
      themeId: theme.theme.id,
    });
    await core.library.createCollection(caller, { name: 'Empty' });
    const place = { collectionId: folder.collection.id };
    const id = await settled(world, 'lanterns are lit at dusk', place);
    await settled(world, 'the harbour sleeps');
    await core.objects.saveText(caller, id, { content: 'lanterns burn all night', baseVersion: 1 });
    await world.runPendingTasks();
    await core.conversations.ask(caller, { question: 'lanterns?' });
    for (const slug of ['skipper', 'clerk'])
      await core.agents.createAgent(caller, { slug, name: slug, persona: `You are a ${slug}.` });
    await core.agents.activateAgent(caller, 'clerk');
    await core.library.createView(caller, {
      name: 'Paid taxes',
      filters: {
        collectionId: folder.collection.id,
        themeId: theme.theme.id,
        category: 'Paid',
        createdFrom: 0,
      },
      order: 'name',
    });
    archive = await exported(world, caller);
    files = await filesOf(archive);
  });

  it('reads a pending text, which archives of every version call `awaited`', async () => {
    const from = await another();
    const into = await another();
    const file = await from.file('later.txt', 'The beacon is lit later.');
    await from.core.objects.addFiles(from.caller, [file], {});
    const sent = await exported(from, from.caller);
    const line = (await filesOf(sent)).get('metadata/objects-000001.jsonl') ?? '';
    expect((JSON.parse(line) as { text_state: string }).text_state).to.equal('awaited');
    await imported(into, into.caller, sent);
    const stored = async (of: CoreFixture) =>
      (await rowsOf(backend, of)).objects.map(({ object }) => object.textState);
    expect(await stored(from)).to.deep.equal(['pending']);
    expect(await stored(into)).to.deep.equal(['pending']);
  });

  it('stores files in readable paths', () => {
    const paths = [...files.keys()].filter((path) => !path.startsWith('contents/'));
    expect(paths).to.deep.equal([
      'metadata/views-000001.jsonl',
      'metadata/chats-000001.jsonl',
      'files/Home/Taxes/lanterns are lit at dusk.md',
      'files/the harbour sleeps.md',
      'metadata/objects-000001.jsonl',
      'metadata/collections-000001.jsonl',
      'metadata/themes-000001.jsonl',
      'metadata/agents-000001.jsonl',
      'README.txt',
      'manifest.json',
    ]);
    expect(files.get(paths[2]!)).to.equal('lanterns burn all night');
    const manifest = JSON.parse(files.get('manifest.json')!) as Record<string, unknown>;
    expect(manifest['counts']).to.deep.equal({
      objects: 2,
      collections: 2,
      themes: 1,
      chats: 1,
      agents: 2,
      views: 1,
    });
    expect(manifest).to.include({ version: 1, made_by: 'owner-workspace test' });
  });

  it('of a damaged archive reports the error and changes nothing', async () => {
    const target = await another();
    const empty = await rowsOf(backend, target);
    const objects = 'metadata/objects-000001.jsonl';
    const note = 'files/the harbour sleeps.md';
    const with_ = async (changes: Readonly<Record<string, string | undefined>>) => {
      const changed = new Map(files);
      for (const [path, text] of Object.entries(changes))
        if (text === undefined) changed.delete(path);
        else changed.set(path, text);
      return archiveOf(changed);
    };
    /** Changes a metadata file and puts its new hash into the manifest, as an attacker would. */
    const forged = async (path: string, change: (text: string) => string) => {
      const { createHash } = await import('node:crypto');
      const text = change(files.get(path)!);
      const lines = files.get('manifest.json')!.split('\n');
      const entry = {
        path,
        size: Buffer.byteLength(text),
        sha256: createHash('sha256').update(text).digest('hex'),
      };
      const listed = lines.map((line) =>
        line.includes(`"${path}"`) ? JSON.stringify(entry) + (line.endsWith(',') ? ',' : '') : line,
      );
      return with_({ [path]: text, 'manifest.json': listed.join('\n') });
    };
    const line = (n: number, change: (record: Record<string, unknown>) => void) => (text: string) =>
      text
        .split('\n')
        .map((each, i) => {
          if (i !== n) return each;
          const record = JSON.parse(each) as Record<string, unknown>;
          change(record);
          return JSON.stringify(record);
        })
        .join('\n');
    const manifest = files.get('manifest.json')!;
    const cases: readonly (readonly [string, Uint8Array])[] = [
      ['not a valid ZIP', Buffer.from('PK nothing')],
      ['not a valid ZIP', Buffer.alloc(0)],
      ['not a valid ZIP', archive.subarray(0, archive.length - 30)],
      ['does not contain manifest.json', await with_({ 'manifest.json': undefined })],
      ['not a manifest of an export', await with_({ 'manifest.json': '{"entries":[\n]}' })],
      ['Line 1 of manifest.json', await with_({ 'manifest.json': 'hello' })],
      [
        'is truncated',
        await with_({ 'manifest.json': manifest.split('\n').slice(0, 3).join('\n') }),
      ],
      [
        'version 2 of the format',
        await with_({ 'manifest.json': manifest.replace('"version":1', '"version":2') }),
      ],
      ['"files/the harbour sleeps.md" is missing', await with_({ [note]: undefined })],
      ['is corrupt: it does not match manifest.json', await with_({ [note]: 'the harbour wakes' })],
      [
        'Line 2 of "metadata/objects-000001.jsonl" is no JSON',
        await forged(objects, (t) => t.slice(0, -9)),
      ],
      [
        'Line 1 of "metadata/objects-000001.jsonl": kind is not one of',
        await forged(
          objects,
          line(0, (r) => (r['kind'] = 'virus')),
        ),
      ],
      [
        'filename is not a filename',
        await forged(
          objects,
          line(0, (r) => (r['filename'] = '../x')),
        ),
      ],
      [
        'title is not well-formed',
        await forged(
          objects,
          line(0, (r) => (r['title'] = 'a\0')),
        ),
      ],
      [
        'title is not well-formed',
        await forged(
          objects,
          line(0, (r) => (r['title'] = '\ud800')),
        ),
      ],
      [
        'id is not well formed',
        await forged(
          objects,
          line(0, (r) => (r['id'] = 'x')),
        ),
      ],
      [
        'versions lack',
        await forged(
          objects,
          line(0, (r) => (r['version'] = 9)),
        ),
      ],
      [
        'created_at is not a moment',
        await forged(
          objects,
          line(0, (r) => (r['created_at'] = 'now')),
        ),
      ],
      [
        'version is not a whole number',
        await forged(
          objects,
          line(0, (r) => delete r['version']),
        ),
      ],
      [
        'is not the file that it speaks of',
        await forged(
          objects,
          line(1, (r) => ((r['versions'] as { path: string }[])[0]!.path = 'README.txt')),
        ),
      ],
      [
        'Line 2 of "metadata/chats-000001.jsonl"',
        await forged(
          'metadata/chats-000001.jsonl',
          line(1, (r) => ((r['message'] as { session_id: string }).session_id = 'x')),
        ),
      ],
      ...(await Promise.all(
        (
          [
            ['role.slug is not well formed', 0, 'role', { slug: 'A' }],
            ['role.slug is reserved', 0, 'role', { slug: 'custom' }],
            ['role.slug is that of an earlier role', 1, 'role', { slug: 'skipper' }],
            ['role.name is not a text of 1 to 80', 0, 'role', { name: '\u{1F600}'.repeat(81) }],
            ['role.persona is not a text of 1 to 8000', 1, 'role', { persona: '' }],
            ['role.persona is not well-formed', 1, 'role', { persona: 'a\0' }],
            ['role.toolsets[0] is not one of', 0, 'role', { toolsets: ['everything'] }],
            ['role.toolsets holds one of them', 0, 'role', { toolsets: ['notes', 'notes'] }],
            ['active.slug is none of the roles', 2, 'active', { slug: 'nobody' }],
          ] as const
        ).map(
          async ([why, n, key, over]) =>
            [
              `Line ${n + 1} of "${ROLES}": ${why}`,
              await forged(
                ROLES,
                line(n, (r) => Object.assign(r[key] as object, over)),
              ),
            ] as const,
        ),
      )),
      [
        `Line 4 of "${ROLES}": it follows the active role`,
        await forged(ROLES, (t) => t + t.split('\n')[0]!),
      ],
      [
        'it is one role more than 200',
        await forged(ROLES, (t) => {
          const { role } = JSON.parse(t.split('\n')[0]!) as { role: object };
          const many = Array.from({ length: 201 }, (_, i) =>
            JSON.stringify({ role: { ...role, slug: `r${i}` } }),
          );
          return many.join('\n');
        }),
      ],
      [
        'is not in manifest.json',
        await with_({ 'metadata/objects-000002.jsonl': files.get(objects)! }),
      ],
    ];
    for (const [why, bytes] of cases) {
      const reported = await said(imported(target, target.caller, bytes));
      expect(reported).to.match(/^bad_archive: The archive cannot be imported\. /);
      expect(reported).to.include(why);
      same(empty, await rowsOf(backend, target));
      expect(await blobs(target)).to.equal(0);
    }
    await imported(target, target.caller, await with_({ '.DS_Store': 'x' }));
  });

  it('is rejected only if the quota is too small for the new data', async () => {
    const target = await another();
    const { usedBytes } = await rowsOf(backend, world);
    const bounded = (storageBytes: number): Caller => ({
      ...target.caller,
      limits: { ...target.caller.limits, storageBytes },
    });
    expect(await said(imported(target, bounded(usedBytes - 1), archive))).to.match(/^plan_limit/);
    expect(await blobs(target)).to.equal(0);
    await imported(target, bounded(usedBytes), archive);
    const again = await imported(target, bounded(usedBytes), archive);
    expect(counts(again)).to.deep.equal([
      'themes 0/1/0',
      'collections 0/2/0',
      'objects 0/2/0',
      'chats 0/1/0',
      'events 0/0/0',
      'agents 0/2/0',
      'views 0/1/0',
    ]);
  });

  it('merges into folders and themes of the same name, without changing them', async () => {
    const target = await another();
    const { core, caller } = target;
    const home = await core.library.createTheme(caller, { name: 'HOME' });
    const own = await core.library.createCollection(caller, {
      name: 'taxes',
      themeId: home.theme.id,
    });
    const reported = await imported(target, caller, archive);
    expect(counts(reported)).to.deep.equal([
      'themes 0/0/1',
      'collections 1/0/1',
      'objects 2/0/0',
      'chats 1/0/0',
      'events 0/0/0',
      'agents 2/0/0',
      'views 1/0/0',
    ]);
    const [view] = await core.library.listViews(caller);
    expect(view).to.deep.include({ name: 'Paid taxes', order: 'name', position: 0 });
    expect(view?.filters).to.deep.equal({
      collectionId: own.collection.id,
      themeId: home.theme.id,
      category: 'Paid',
      createdFrom: 0,
    });
    const { items } = await core.objects.listObjects(
      caller,
      { collectionId: own.collection.id },
      { limit: 9, offset: 0 },
    );
    expect(items.map(({ collectionName }) => collectionName)).to.deep.equal(['taxes']);
    const again = await imported(target, caller, archive);
    expect(counts(again)[1]).to.equal('collections 0/1/1');
    expect((await rowsOf(backend, target)).collections.total).to.equal(2);
  });

  it('gives records with a conflicting id another one, the same each time, and updates all references', async () => {
    const target = await another();
    const { core, caller } = target;
    await imported(target, caller, archive);
    const before = await rowsOf(backend, target);
    const [first] = before.objects.filter(({ object }) => object.version === 2);
    const id = first!.object.id;
    await core.objects.saveText(caller, id, { content: 'all is dark', baseVersion: 2 });
    const [chat] = before.chats;
    await core.conversations.addTurn(caller, chat!.session.id, { content: 'harbour?' });
    await target.runPendingTasks();
    const reported = await imported(target, caller, archive);
    expect([reported.newIds, ...counts(reported)]).to.deep.equal([
      1,
      'themes 0/1/0',
      'collections 0/2/0',
      'objects 1/1/0',
      'chats 0/1/0',
      'events 0/0/0',
      'agents 0/2/0',
      'views 0/1/0',
    ]);
    const rows = await rowsOf(backend, target);
    expect(rows.objects).to.have.length(3);
    const copy = rows.objects.find(
      (each) => !before.objects.some((o) => o.object.id === each.object.id),
    );
    expect(copy?.object).to.deep.equal({ ...first!.object, id: copy?.object.id });
    expect(copy?.object.id).to.match(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const again = await imported(target, caller, archive);
    expect(counts(again)).to.include('objects 0/2/0');
    expect((await rowsOf(backend, target)).objects).to.have.length(3);
    // A diverging chat is stored next to the existing one, and cites the copy.
    await core.conversations.deleteChat(caller, chat!.session.id);
    await backend.uow.write(caller.scope, async ({ chats }) => {
      await chats.save(chat!.session);
      await chats.addMessage({ ...chat!.messages[0]!, id: first!.object.id });
    });
    const third = await imported(target, caller, archive);
    expect(counts(third)).to.include('chats 1/0/0');
    const sessions = (await rowsOf(backend, target)).chats;
    const added = sessions.find(({ session }) => session.id !== chat!.session.id);
    expect(added?.messages.map(({ content }) => content)).to.deep.equal(
      chat!.messages.map(({ content }) => content),
    );
    expect(JSON.stringify(added?.messages)).to.include(copy!.object.id).and.not.include(id);
  });

  it('into a locked zone gives the same result whether or not a hidden object has the id or the bytes', async () => {
    const answers: unknown[] = [];
    for (const isErased of [false, true]) {
      const target = await another();
      const { core, caller } = target;
      await imported(target, caller, archive);
      const page = { limit: 9, offset: 0 };
      const { items } = await core.objects.listObjects(caller, {}, page);
      for (const { object } of items) {
        await core.objects.editObject(caller, object.id, { isHidden: true });
        // The conversations about it remain hidden.
        if (isErased) await core.objects.deleteObject(caller, object.id, true);
      }
      await target.runPendingTasks();
      const theirs = new Set(items.map(({ object }) => object.id));
      await core.hiddenZone.setPin(caller, { pin: '1234' });
      const reported = await imported(target, caller, archive);
      const visible = (await core.objects.listObjects(caller, {}, page)).items;
      expect(visible.filter(({ object }) => theirs.has(object.id))).to.deep.equal([]);
      const again = await imported(target, caller, archive);
      expect((await core.objects.listObjects(caller, {}, page)).total).to.equal(2);
      answers.push([reported.newIds, counts(reported), again.newIds, counts(again)]);
      expect(counts(reported)).to.include('objects 2/0/0');
      expect(counts(again)).to.include('objects 0/2/0');
    }
    expect(answers[1]).to.deep.equal(answers[0]);
  });

  it('adds roles with new slugs, and leaves existing ones and the active role unchanged', async () => {
    const target = await another();
    const { core, caller } = target;
    const own = await core.agents.createAgent(caller, {
      slug: 'clerk',
      name: 'Another clerk',
      persona: 'You are somebody else.',
    });
    const reported = await imported(target, caller, archive);
    expect(counts(reported)).to.include('agents 1/1/0');
    const { agentRoles, activeRole } = await rowsOf(backend, target);
    const { kind: _, ...stored } = own.role;
    const theirs = (await rowsOf(backend, world)).agentRoles.items[0];
    expect(agentRoles.items).to.have.deep.members([stored, theirs]);
    expect(activeRole, 'no role was active').to.equal(null);
    const marked = await backend.uow.read(caller.scope, async (stores) =>
      (await stores.agentRoles.page({ limit: 10, offset: 0 })).items.map((role) => [
        role.slug,
        role.isImported,
      ]),
    );
    expect(Object.fromEntries(marked)).to.deep.equal({ clerk: false, skipper: true });
    await core.agents.activateAgent(caller, 'planner');
    const before = await rowsOf(backend, target);
    expect(counts(await imported(target, caller, archive))).to.include('agents 0/2/0');
    same(before, await rowsOf(backend, target));
  });

  it('gives a role with a conflicting id a new one, the same each time', async () => {
    const ids: (string | undefined)[] = [];
    for (let time = 0; time < 2; time++) {
      const target = await another();
      const [theirs] = (await rowsOf(backend, world)).agentRoles.items;
      const holder = { ...theirs!, slug: 'holder', name: 'Holder' };
      await backend.uow.write(target.caller.scope, (s) => s.agentRoles.add(holder));
      const reported = await imported(target, target.caller, archive);
      expect(reported.newIds).to.equal(1);
      const { items } = (await rowsOf(backend, target)).agentRoles;
      expect(items).to.deep.include(holder);
      const moved = items.find(({ slug }) => slug === 'skipper');
      expect({ ...moved, id: theirs!.id }).to.deep.equal(theirs);
      ids.push(moved?.id);
      expect((await imported(target, target.caller, archive)).newIds).to.equal(0);
    }
    expect(ids[0]).to.equal(ids[1]);
  });

  it('is rejected if there would be too many roles, before anything is changed', async () => {
    const target = await another();
    const [theirs] = (await rowsOf(backend, world)).agentRoles.items;
    await backend.uow.write(target.caller.scope, async ({ agentRoles }) => {
      for (let i = 1; i <= 199; i++) {
        const id = `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`;
        await agentRoles.add({ ...theirs!, id, slug: `r${i}` });
      }
    });
    const before = await rowsOf(backend, target);
    expect(await said(imported(target, target.caller, archive))).to.match(/^too_many_roles: /);
    same(before, await rowsOf(backend, target));
    expect(await blobs(target)).to.equal(0);
    await target.core.agents.deleteAgent(target.caller, 'r1');
    await imported(target, target.caller, archive);
    expect((await rowsOf(backend, target)).agentRoles.total).to.equal(200);
  });

  it('is rejected at its end if there would be too many views: all other parts are imported', async () => {
    const target = await another();
    const { core, caller } = target;
    const made = [];
    for (let i = 0; i < 100; i++)
      made.push(await core.library.createView(caller, { name: `View ${i}` }));
    expect(await said(imported(target, caller, archive))).to.match(/^too_many_views: /);
    expect((await rowsOf(backend, target)).objects).to.have.length(2);
    await core.library.deleteView(caller, made[0]!.id);
    expect(counts(await imported(target, caller, archive))).to.include('views 1/0/0');
    expect(counts(await imported(target, caller, archive))).to.include('views 0/1/0');
    expect(await core.library.listViews(caller)).to.have.length(100);
  });

  it('continues a chat of which it has more messages', async () => {
    const target = await another();
    await imported(target, target.caller, archive);
    const [chat] = (await rowsOf(backend, world)).chats;
    const source = await another();
    await imported(source, source.caller, archive);
    source.now += 5_000;
    await source.core.conversations.addTurn(source.caller, chat!.session.id, { content: 'more?' });
    const reported = await imported(target, target.caller, await exported(source, source.caller));
    expect(counts(reported)).to.include('chats 0/0/1');
    same((await rowsOf(backend, source)).chats, (await rowsOf(backend, target)).chats);
  });

  it('that was aborted is completed by the next one, at any point', async () => {
    for (let failing = 1; ; failing++) {
      const target = await another();
      let left = Infinity;
      const uow: Backend['uow'] = {
        read: (scope, work) => backend.uow.read(scope, work),
        write: (scope, work) =>
          --left === 0
            ? Promise.reject(new UnavailableError('database', 'away'))
            : backend.uow.write(scope, work),
      };
      const ill = await openCoreFixture({ ...backend, uow });
      ill.now = target.now;
      left = failing;
      const broken = await imported(ill, ill.caller, archive).catch((error: unknown) => error);
      if (!(broken instanceof UnavailableError)) {
        expect(failing).to.be.above(6);
        break;
      }
      left = Infinity;
      await imported(ill, ill.caller, archive);
      await ill.runPendingTasks();
      same({ ...(await rowsOf(backend, world)), activeRole: null }, await rowsOf(backend, ill));
    }
  });

  it('processes exactly the objects that were not processed yet', async () => {
    const source = await another();
    const { object } = await source.core.objects.addNote(source.caller, { content: 'unread yet' });
    const target = await another();
    let read = 0;
    target.extractions.set(object.filename, () => {
      read++;
      return { outcome: 'none', expected: false, reason: '' };
    });
    await imported(target, target.caller, await exported(source, source.caller));
    await imported(target, target.caller, archive);
    await target.runPendingTasks();
    expect(read).to.equal(1);
    expect((await rowsOf(backend, target)).objects.map((o) => o.object.status)).to.deep.equal(
      Array(3).fill('ready'),
    );
  });

  it('does not reveal existing hidden objects while the zone is locked', async () => {
    const source = await another();
    const id = await settled(source, 'veiled words', { isHidden: true });
    const plain = await settled(source, 'plain words');
    const both = await exported(source, source.caller);
    const answers: unknown[] = [];
    for (const there of [false, true]) {
      const target = await another();
      if (there) {
        await imported(target, target.caller, both);
        await target.core.objects.editObject(target.caller, plain, { isHidden: true });
      }
      const { token } = await target.core.hiddenZone.setPin(target.caller, { pin: '1234' });
      const { items, total } = {
        ...(await target.core.objects.listObjects(target.caller, {}, { limit: 9, offset: 0 })),
      };
      expect([items, total]).to.deep.equal([[], 0]);
      answers.push(await imported(target, target.caller, both));
      const listed = await target.core.objects.listObjects(
        target.caller,
        {},
        { limit: 9, offset: 0 },
      );
      answers.push(listed.items.map(({ object }) => object.filename));
      const unlocked = { ...target.caller, hiddenToken: token };
      const hidden = await target.core.objects.listObjects(
        unlocked,
        { hiddenOnly: true },
        { limit: 9, offset: 0 },
      );
      expect(hidden.items.map(({ object }) => object.id)).to.include(id);
      expect(hidden.total).to.equal(there ? 2 : 1);
    }
    expect(answers.slice(2)).to.deep.equal(answers.slice(0, 2));
  });
});

describe('an export', () => {
  it('is complete and consistent, even if objects are changed, trashed or deleted while it runs', async () => {
    const backend = await open!();
    const world = await openCoreFixture(backend);
    const { core, caller } = world;
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) {
      world.now += 1_000;
      const content = `note number ${i} `.repeat(4_000);
      ids.push((await core.objects.addNote(caller, { content, title: `n${i}` })).object.id);
      await world.runPendingTasks();
    }
    const chunks: Uint8Array[] = [];
    let seen = 0;
    for await (const chunk of (await core.transfer.exportWorkspace(caller)).bytes()) {
      chunks.push(chunk);
      if (!Buffer.from(chunk).includes('files/n')) continue;
      if (++seen !== 2) continue;
      await core.objects.deleteObject(caller, ids[0]!, true);
      await core.objects.deleteObject(caller, ids[1]!, true);
      await core.objects.deleteObject(caller, ids[2]!, true);
      await core.objects.deleteObject(caller, ids[3]!, false);
      await core.objects.saveText(caller, ids[4]!, { content: 'newer', baseVersion: 1 });
      await world.runPendingTasks();
    }
    const archive = Buffer.concat(chunks);
    const target = await openCoreFixture(backend);
    const reported = await imported(target, target.caller, archive);
    await target.runPendingTasks();
    const { objects } = await rowsOf(backend, target);
    const names = objects.map(({ object }) => `${object.filename} ${object.version}`);
    expect(names.sort()).to.include.members(['n0.md 1', 'n3.md 1', 'n4.md 2', 'n5.md 1']);
    expect(names).not.to.include('n2.md 1');
    expect(objects.find(({ object }) => object.filename === 'n3.md')?.object.deletedAt).to.be.a(
      'number',
    );
    expect(reported.tallies.objects.created).to.equal(names.length);
    await backend.close();
  });

  it('lists missing or corrupt bytes, and includes the rest', async () => {
    const backend = await open!();
    const world = await openCoreFixture(backend);
    const { core, caller } = world;
    for (const content of ['one', 'two']) await core.objects.addNote(caller, { content });
    await world.runPendingTasks();
    const [lost] = (await core.objects.listObjects(caller, {}, { limit: 9, offset: 0 })).items;
    await world.blobs.remove(lost!.object.blobId);
    const archive = await exported(world, caller);
    const manifest = JSON.parse((await filesOf(archive)).get('manifest.json')!) as {
      left_out: { object_id: string; reason: string }[];
    };
    expect(manifest.left_out.map(({ object_id, reason }) => [object_id, reason])).to.deep.equal([
      [lost!.object.id, 'Its bytes are missing.'],
    ]);
    const target = await openCoreFixture(backend);
    expect((await imported(target, target.caller, archive)).tallies.objects.created).to.equal(1);
    await backend.close();
  });

  it('deflates exactly the compressible files', async () => {
    const backend = await open!();
    const world = await openCoreFixture(backend);
    const { core, caller } = world;
    const dense = new Uint8Array(100_000);
    for (let i = 0, state = 1; i < dense.length; i++)
      dense[i] = (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) >>> 16;
    const even = new Uint8Array(100_000).fill(7);
    for (const [filename, bytes] of [
      ['dense.bin', dense],
      ['even.bin', even],
    ] as const) {
      const source = (async function* () {
        yield await Promise.resolve(bytes);
      })();
      const file = await core.objects.receiveFile(caller, { filename, bytes: source });
      await core.objects.addFiles(caller, [file], {});
    }
    const archive = await exported(world, caller);
    expect(archive.includes(Buffer.from(dense))).to.equal(true);
    expect(archive.length).to.be.within(100_000, 110_000);
    await backend.close();
  });

  it('ends when the client stops reading', async () => {
    const backend = await open!();
    const world = await openCoreFixture(backend);
    let reading = 0;
    await world.core.objects.addNote(world.caller, { content: 'x'.repeat(900_000) });
    const read = world.blobs.read.bind(world.blobs);
    world.blobs.read = async function* (blobId, range) {
      reading++;
      try {
        for await (const chunk of read(blobId, range)) yield chunk;
      } finally {
        reading--;
      }
    };
    for await (const chunk of (await world.core.transfer.exportWorkspace(world.caller)).bytes())
      if (reading > 0 && chunk.length > 0) break;
    expect(reading).to.equal(0);
    await backend.close();
  });
});

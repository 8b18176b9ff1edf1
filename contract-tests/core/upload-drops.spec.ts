import { expect } from 'chai';
import fc from 'fast-check';
import { folderNameOf, parseRelativePath } from '../../core/uploads/relative-path.ts';
import { backends, type Backend } from '../backends.ts';
import { openUploads } from './upload-fixture.ts';

const MINUTE_MS = 60_000;
const levels = (count: number) => Array.from({ length: count }, (_, i) => `l${i}`);

describe('relative paths', () => {
  it('are folders and a file name, in up to 32 levels', () => {
    expect(parseRelativePath('Taxes/2024/a.pdf')).to.deep.equal({
      folders: ['Taxes', '2024'],
      filename: 'a.pdf',
    });
    expect(parseRelativePath('a.pdf').folders).to.deep.equal([]);
    expect(parseRelativePath([...levels(32), 'a'].join('/')).folders).to.have.length(32);
  });

  for (const path of [
    '',
    '/a',
    'a/',
    'a//b',
    '../a',
    'a/../b',
    './a',
    'a/./b',
    'a\\b',
    'C:\\a',
    'a\0/b',
    'a/b\0',
    'CON/a',
    'nul.txt/a',
    'a/LPT1/b',
    ' /a',
    'a/\u202eb/c',
    [...levels(33), 'a'].join('/'),
    `${'x'.repeat(121)}/a`,
    `a/${'x'.repeat(256)}`,
    `${'x/'.repeat(31)}${'y'.repeat(5_000)}`,
  ])
    it(`reject ${JSON.stringify(path.slice(0, 40))}`, () =>
      expect(() => parseRelativePath(path)).to.throw());

  it('give each path of folders a name of its own, of a valid length', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.array(fc.stringMatching(/^[a-z]{1,40}$/), { minLength: 2, maxLength: 32 }),
          { maxLength: 6, selector: (folders) => folders.slice(1).join('/') },
        ),
        (paths) => {
          const names = paths.map(folderNameOf);
          expect(new Set(names).size).to.equal(paths.length);
          for (const name of names) expect([...name].length).to.be.within(1, 120);
        },
      ),
      { numRuns: 200 },
    ));
});

for (const [name, open] of backends)
  describe(`${name}: folder drops`, () => {
    let backend: Backend;
    before(async () => (backend = await open()));
    after(() => backend.close());

    it('make a theme of the top folder, and the folders below it, each once', async () => {
      const it = await openUploads(backend);
      const drop = [
        ['Taxes/a.pdf', 'Taxes'],
        ['Taxes/2024/b.pdf', '2024'],
        ['Taxes/2024/bills/c.pdf', '2024 / bills'],
        ['taxes/2024/d.pdf', '2024'],
      ] as const;
      for (const [relativePath] of drop) await it.upload(relativePath, { relativePath });
      const themes = await it.themes();
      expect(themes.map(({ theme }) => theme.name)).to.deep.equal(['Taxes']);
      const folders = await it.folders();
      expect(folders.map((folder) => folder.name).sort()).to.deep.equal([
        '2024',
        '2024 / bills',
        'Taxes',
      ]);
      for (const folder of folders) expect(folder.themeId).to.equal(themes[0]?.theme.id);
      const placed = (await it.objects()).map(({ object, collectionName }) => [
        object.size,
        collectionName,
      ]);
      expect(placed).to.have.deep.members(drop.map(([path, folder]) => [path.length, folder]));
    });

    it('are one run, whose undo takes the files out and removes what it made', async () => {
      const it = await openUploads(backend);
      const own = await it.core.library.createTheme(it.caller, { name: 'Work' });
      const dropped = [];
      for (const relativePath of ['Work/x/1', 'Work/y/2', 'Trip/3'])
        dropped.push(await it.upload(relativePath, { relativePath, filename: 'f.txt' }));
      const [one, two, other] = dropped;
      expect(one?.dropId).to.equal(two?.dropId).and.not.equal(other?.dropId);
      const run = await it.core.organize.getReorganization(it.caller, one?.dropId ?? '');
      expect(run.run).to.deep.include({ moved: 2, createdFolders: 2, createdThemes: 0 });
      expect(run.moves?.map(({ objectId }) => objectId)).to.deep.equal([
        one?.objectId,
        two?.objectId,
      ]);
      const undone = await it.core.organize.undoReorganization(it.caller, one?.dropId ?? '');
      expect(undone).to.deep.equal({ undone: 2, skipped: 0 });
      expect((await it.folders()).map((folder) => folder.name)).to.deep.equal(['Trip']);
      expect((await it.themes()).map(({ theme }) => theme.id)).to.include(own.theme.id);
      await it.core.organize.undoReorganization(it.caller, other?.dropId ?? '');
      expect((await it.themes()).map(({ theme }) => theme.name)).to.deep.equal(['Work']);
      expect(await it.objects()).to.have.length(3);
    });

    it('of one name are two if nothing of the first has progressed for a while', async () => {
      const it = await openUploads(backend);
      const relativePath = 'Photos/a.jpg';
      const slow = await it.create(30, { relativePath });
      it.world.now += 9 * MINUTE_MS;
      await it.send(slow.id, 0, Buffer.from('abc'));
      it.world.now += 9 * MINUTE_MS;
      const next = await it.create(3, { relativePath });
      expect(next.dropId).to.equal(slow.dropId);
      it.world.now += 11 * MINUTE_MS;
      expect((await it.create(3, { relativePath })).dropId).not.to.equal(slow.dropId);
    });

    it('leave nothing behind when their files are cancelled', async () => {
      const it = await openUploads(backend);
      const { id } = await it.create(30, { relativePath: 'Photos/a.jpg' });
      await it.send(id, 0, Buffer.from('abc'));
      await it.core.uploads.terminateUpload(it.caller, id);
      expect(await it.folders()).to.deep.equal([]);
      expect(await it.themes()).to.deep.equal([]);
    });

    it('never use a hidden theme, and a duplicate that is returned makes no folder', async () => {
      const it = await openUploads(backend);
      await it.core.library.createTheme(it.caller, { name: 'Secret', isHidden: true });
      await it.upload('bytes', { relativePath: 'Secret/a.txt' });
      expect((await it.themes()).map(({ theme }) => theme.isHidden).sort()).to.deep.equal([
        false,
        true,
      ]);
      await it.upload('bytes', { relativePath: 'Other/a.txt', onDuplicate: 'return' });
      expect((await it.folders()).map((folder) => folder.name)).to.deep.equal(['Secret']);
    });
  });

for (const [name, open] of backends)
  describe(`${name}: uploads beside the hidden zone`, () => {
    let backend: Backend;
    before(async () => (backend = await open()));
    after(() => backend.close());

    it('an upload whose object was hidden looks like one whose object was erased, while the zone is locked', async () => {
      const it = await openUploads(backend);
      const [hidden, erased] = [await it.upload('hidden'), await it.upload('erased')];
      await it.core.hiddenZone.setPin(it.caller, { pin: '1234' });
      const { token } = await it.core.hiddenZone.unlockZone(it.caller, '1234');
      const unlocked = { ...it.caller, hiddenToken: token };
      await it.core.objects.editObject(unlocked, hidden.objectId ?? '', { isHidden: true });
      await it.core.objects.deleteObject(it.caller, erased.objectId ?? '', true);
      const codes = async (id: string) => [
        await it.code(it.core.uploads.getUpload(it.caller, id)),
        await it.code(it.send(id, 3, Buffer.from('den'))),
        await it.code(it.core.uploads.terminateUpload(it.caller, id)),
      ];
      expect(await codes(hidden.id)).to.deep.equal(await codes(erased.id));
      const seen = await it.core.uploads.getUpload(unlocked, hidden.id);
      expect(seen.objectId).to.equal(hidden.objectId);
    });

    it('a hidden duplicate is returned to an unlocked zone only', async () => {
      const it = await openUploads(backend);
      const first = await it.upload('same');
      await it.core.hiddenZone.setPin(it.caller, { pin: '1234' });
      const { token } = await it.core.hiddenZone.unlockZone(it.caller, '1234');
      const unlocked = { ...it.caller, hiddenToken: token };
      await it.core.objects.editObject(unlocked, first.objectId ?? '', { isHidden: true });
      const { id } = await it.create(4, { onDuplicate: 'return' });
      const found = await it.send(id, 0, Buffer.from('same'), { as: unlocked });
      expect(found.objectId).to.equal(first.objectId);
      const added = await it.upload('same', { onDuplicate: 'return' });
      expect(added.objectId).not.to.equal(first.objectId);
      expect(await it.code(it.upload('same', { onDuplicate: 'reject' }))).to.equal(
        'already_exists',
      );
    });
  });

for (const [name, open] of backends)
  describe(`${name}: uploads by a token that is bound to folders`, () => {
    let backend: Backend;
    before(async () => (backend = await open()));
    after(() => backend.close());

    it('go into its folders only, and those of others do not exist', async () => {
      const it = await openUploads(backend);
      const folder = async (title: string) =>
        (await it.core.library.createCollection(it.caller, { name: title })).collection.id;
      const [inside, outside] = [await folder('inside'), await folder('outside')];
      const bound = { ...it.caller, scope: { ...it.caller.scope, folderIds: [inside] } };
      const refused = async (over: object) => it.code(it.create(4, over, bound));
      expect(await refused({})).to.equal('forbidden');
      expect(await refused({ collectionId: outside })).to.equal('not_found');
      expect(await refused({ relativePath: 'inside/a.txt' })).to.equal('forbidden');
      const foreign = await it.create(4, { collectionId: outside });
      for (const work of [
        it.core.uploads.getUpload(bound, foreign.id),
        it.send(foreign.id, 0, Buffer.from('abcd'), { as: bound }),
        it.core.uploads.terminateUpload(bound, foreign.id),
      ])
        expect(await it.code(work)).to.equal('not_found');
      const { id } = await it.create(4, { collectionId: inside }, bound);
      await it.send(id, 0, Buffer.from('ab'), { as: bound });
      const done = await it.send(id, 2, Buffer.from('cd'), { as: bound });
      const [only] = await it.objects();
      expect(only?.object).to.include({ id: done.objectId, collectionId: inside });
      await it.core.objects.moveObject(it.caller, done.objectId ?? '', outside);
      expect(await it.code(it.core.uploads.getUpload(bound, id))).to.equal('not_found');
    });
  });

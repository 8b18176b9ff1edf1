import { expect } from 'chai';
import fc from 'fast-check';
import type { Caller } from '../../core/shared/caller.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { NewShare } from '../../core/shares/index.ts';
import { DOC_TYPES, type DocType } from '../../ports/objects.ts';
import { backends, type Backend } from '../backends.ts';
import { aShare, newId } from '../samples.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const PAGE = { limit: 100, offset: 0 };
const DAY_MS = 86_400_000;
const SENSITIVE: readonly string[] = ['id_document', 'medical', 'bank_statement', 'tax'];

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );

interface PlannedFile {
  readonly docType: DocType;
  readonly fate: 'stays' | 'hide' | 'trash' | 'hide and trash' | 'elsewhere';
}

const plannedFile = fc.record<PlannedFile>({
  docType: fc.oneof(
    fc.constantFrom<DocType>('id_document', 'medical', 'bank_statement', 'tax'),
    fc.constantFrom(...DOC_TYPES),
  ),
  fate: fc.constantFrom('stays', 'stays', 'hide', 'trash', 'hide and trash', 'elsewhere'),
});

for (const [name, open] of backends)
  describe(`${name}: previews of shares`, () => {
    let backend: Backend;
    let worlds = 0;
    before(async () => (backend = await open()));
    after(() => backend.close());

    const newWorld = (salt = `${++worlds}`): Promise<CoreFixture> =>
      openCoreFixture(backend, `previews-${name}-${process.pid}-${Date.now()}-${salt}`);
    const folderIn = async ({ core, caller }: CoreFixture, title = 'Papers'): Promise<string> =>
      (await core.library.createCollection(caller, { name: title })).collection.id;
    const fileIn = async (world: CoreFixture, filename: string, collectionId?: string) => {
      const file = await world.file(filename, `of ${filename}`);
      const place = collectionId === undefined ? {} : { collectionId };
      const [added] = await world.core.objects.addFiles(world.caller, [file], place);
      return added?.object.id ?? '';
    };
    const asType = (world: CoreFixture, id: string, docType: DocType) =>
      backend.uow.write(world.caller.scope, async ({ objects }) => {
        const object = await objects.find(id);
        if (object) await objects.save({ ...object, docType });
      });
    const add = async (
      world: CoreFixture,
      caller: Caller,
      folder: string,
      { docType, fate }: PlannedFile,
      i: number,
    ): Promise<string> => {
      world.now += 1;
      const { objects } = world.core;
      const id = await fileIn(world, `${i}.pdf`, fate === 'elsewhere' ? undefined : folder);
      await asType(world, id, docType);
      if (fate.startsWith('hide')) await objects.editObject(caller, id, { isHidden: true });
      if (fate.endsWith('trash')) await objects.deleteObject(caller, id, false);
      return id;
    };
    const ofFolder = (resourceId: string, over: Partial<NewShare> = {}): NewShare => ({
      kind: 'folder',
      resourceId,
      role: 'viewer',
      name: '',
      ...over,
    });
    const sharesOf = async ({ core, caller }: CoreFixture) =>
      (await core.shares.listShares(caller, PAGE)).total;

    it('show what the share shows after its creation, and create nothing', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(plannedFile, { maxLength: 8 }),
          fc.constantFrom('viewer', 'contributor'),
          fc.option(fc.integer({ min: 1, max: 365 }), { nil: undefined }),
          fc.boolean(),
          async (files, role, expiresInDays, hasPassword) => {
            const world = await newWorld();
            const { shares } = world.core;
            const folder = await folderIn(world);
            for (const [i, file] of files.entries())
              await add(world, world.caller, folder, file, i);
            const input = ofFolder(folder, {
              role,
              name: 'For Ada',
              ...(expiresInDays !== undefined && { expiresInDays }),
              ...(hasPassword && { password: 'long enough' }),
            });
            const { contents, warnings } = await shares.previewNewShare(world.caller, input);
            expect(await sharesOf(world)).to.equal(0);
            const { share } = await shares.createShare(world.caller, input);
            const seen = await shares.shareContents(world.caller, share.id, PAGE);
            const { share: planned, ...rest } = contents;
            const { share: stored, ...shown } = seen;
            expect(rest).to.deep.equal(shown);
            for (const field of ['kind', 'role', 'name', 'expiresAt', 'resourceId'] as const)
              expect(planned[field], field).to.equal(stored[field]);
            expect(planned.passwordHash !== null).to.equal(stored.passwordHash !== null);
            const visible = files.filter(({ fate }) => fate === 'stays');
            expect(contents.total).to.equal(visible.length);
            expect(warnings.map(({ docType, count }) => [docType, count])).to.deep.equal(
              SENSITIVE.map((type) => [
                type,
                visible.filter(({ docType }) => docType === type).length,
              ]).filter(([, count]) => count !== 0),
            );
            for (const { docType, count, newest } of warnings) {
              expect(newest).to.have.length(Math.min(count, 5));
              for (const { filename } of newest)
                expect(files[Number.parseInt(filename, 10)]?.docType).to.equal(docType);
            }
          },
        ),
        { numRuns: name === 'memory' ? 60 : 5 },
      )).timeout(60_000);

    it('are the same in a world without the hidden objects, with or without the unlock token', () =>
      fc.assert(
        fc.asyncProperty(fc.array(plannedFile, { maxLength: 6 }), async (files) => {
          const shown: unknown[] = [];
          const salt = `${++worlds}`;
          for (const hides of [true, false]) {
            const world = await newWorld(`${salt}-${hides}`);
            const { token } = await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
            const unlocked = { ...world.caller, hiddenToken: token };
            const folder = await folderIn(world);
            for (const [i, file] of files.entries())
              if (hides || !file.fate.startsWith('hide')) {
                // At the same time in both worlds.
                world.now = Date.UTC(2026, 0, 1) + 10 * i;
                await add(world, unlocked, folder, file, i);
              }
            world.now = Date.UTC(2026, 0, 1) + 1_000;
            for (const caller of [world.caller, unlocked]) {
              const { contents, warnings } = await world.core.shares.previewNewShare(
                caller,
                ofFolder(folder),
              );
              const withoutIds = ({ id: _, ...item }: { readonly id: string }) => item;
              shown.push({
                total: contents.total,
                name: contents.resourceName,
                items: contents.items.map(withoutIds),
                warnings: warnings.map((each) => ({
                  ...each,
                  newest: each.newest.map(withoutIds),
                })),
              });
            }
          }
          const [first, ...others] = shown.map((each) => JSON.stringify(each));
          for (const other of others) expect(other).to.equal(first);
        }),
        { numRuns: name === 'memory' ? 40 : 4 },
      )).timeout(60_000);

    it('end as the creation ends', async () => {
      const world = await newWorld();
      const { shares, objects, hiddenZone } = world.core;
      const folder = await folderIn(world);
      const [plain, trashed, hidden] = [
        await fileIn(world, 'plain.txt'),
        await fileIn(world, 'trashed.txt'),
        await fileIn(world, 'hidden.txt'),
      ];
      await objects.deleteObject(world.caller, trashed, false);
      await objects.editObject(world.caller, hidden, { isHidden: true });
      const file = (resourceId: string): NewShare => ({
        ...ofFolder(resourceId),
        kind: 'file',
      });
      const cases: readonly [NewShare, string, string, string][] = [
        [file(plain), 'ok', 'ok', 'ok'],
        [file(trashed), 'in_trash', 'in_trash', 'in_trash'],
        [file(hidden), 'is_hidden', 'not_found', 'is_hidden'],
        [file(newId()), 'not_found', 'not_found', 'not_found'],
        [file(folder), 'not_found', 'not_found', 'not_found'],
        [ofFolder(plain), 'not_found', 'not_found', 'not_found'],
        [{ ...file(plain), role: 'contributor' }, 'invalid', 'invalid', 'invalid'],
      ];
      const outcome = async (caller: Caller, input: NewShare) => {
        const codes = [
          await codeOf(shares.previewNewShare(caller, input)),
          await codeOf(shares.createShare(caller, input)),
        ].map((code) => code ?? 'invalid');
        expect(codes[0]).to.equal(codes[1]);
        return codes[0];
      };
      for (const [input, unset] of cases)
        expect(await outcome(world.caller, input)).to.equal(unset);
      const { token } = await hiddenZone.setPin(world.caller, { pin: '1234' });
      const unlocked = { ...world.caller, hiddenToken: token };
      for (const [input, , closed, opened] of cases) {
        expect(await outcome(world.caller, input)).to.equal(closed);
        expect(await outcome(unlocked, input)).to.equal(opened);
      }
    });

    it('are rejected where no more shares can be created', async () => {
      const world = await newWorld();
      const folder = await folderIn(world);
      await backend.uow.write(
        world.caller.scope,
        async ({ shares }) => {
          for (let i = 0; i < 5_000; i++)
            await shares.save(aShare({ kind: 'folder', resourceId: folder }));
        },
        'large',
      );
      const { shares } = world.core;
      expect(await codeOf(shares.previewNewShare(world.caller, ofFolder(folder)))).to.equal(
        'too_many_shares',
      );
    }).timeout(120_000);

    it('name the first page of a long folder, and count all of it', async () => {
      const world = await newWorld();
      const folder = await folderIn(world);
      for (let i = 0; i < 103; i++) {
        world.now += 1;
        const id = await fileIn(world, `${i}.pdf`, folder);
        if (i < 7) await asType(world, id, 'tax');
      }
      const { contents, warnings } = await world.core.shares.previewNewShare(
        world.caller,
        ofFolder(folder),
      );
      expect([contents.items.length, contents.total]).to.deep.equal([100, 103]);
      expect(contents.items[0]?.filename).to.equal('102.pdf');
      expect(warnings.map(({ docType, count }) => [docType, count])).to.deep.equal([['tax', 7]]);
      expect(warnings[0]?.newest.map(({ filename }) => filename)).to.deep.equal(
        [6, 5, 4, 3, 2].map((i) => `${i}.pdf`),
      );
    }).timeout(60_000);

    it('warn of a single file by its type', async () => {
      const world = await newWorld();
      const id = await fileIn(world, 'passport.pdf');
      const input: NewShare = { ...ofFolder(id), kind: 'file' };
      const { shares } = world.core;
      expect((await shares.previewNewShare(world.caller, input)).warnings).to.deep.equal([]);
      await asType(world, id, 'id_document');
      const { warnings, contents } = await shares.previewNewShare(world.caller, input);
      expect(warnings.map(({ docType, count }) => [docType, count])).to.deep.equal([
        ['id_document', 1],
      ]);
      expect(warnings[0]?.newest.map((each) => each.id)).to.deep.equal([id]);
      expect(contents.resourceName).to.equal('passport.pdf');
    });

    it('belong to the folders that a caller is bound to', async () => {
      const world = await newWorld();
      const [inside, outside] = [await folderIn(world), await folderIn(world, 'Others')];
      const [mine, other] = [
        await fileIn(world, 'mine.txt', inside),
        await fileIn(world, 'other.txt', outside),
      ];
      const bound: Caller = {
        ...world.caller,
        scope: { ...world.caller.scope, folderIds: [inside] },
      };
      const preview = (input: NewShare) => codeOf(world.core.shares.previewNewShare(bound, input));
      expect(await preview(ofFolder(inside))).to.equal('ok');
      expect(await preview({ ...ofFolder(mine), kind: 'file' })).to.equal('ok');
      expect(await preview(ofFolder(outside))).to.equal('not_found');
      expect(await preview({ ...ofFolder(other), kind: 'file' })).to.equal('not_found');
    });

    it('precede shares whose state says what a visitor meets', async () => {
      const world = await newWorld();
      const { shares, objects } = world.core;
      const id = await fileIn(world, 'a.txt');
      const created = await shares.createShare(world.caller, {
        ...ofFolder(id, { expiresInDays: 2 }),
        kind: 'file',
      });
      const visitor = { address: '192.0.2.1', counts: false };
      const state = async () => {
        const view = await shares.getShare(world.caller, created.share.id);
        const [listed] = (await shares.listShares(world.caller, PAGE)).items;
        expect(listed).to.deep.equal(view);
        const visit = await shares.visitShare(visitor, created.token ?? '', PAGE).then(
          ({ unlocked }) => (unlocked ? 'open' : 'locked'),
          () => 'nothing',
        );
        const meets = view.state === 'open' || view.state === 'locked' ? view.state : 'nothing';
        expect(visit).to.equal(meets);
        return [view.state, view.stateReason];
      };
      expect([created.state, created.stateReason]).to.deep.equal(['open', null]);
      expect(await state()).to.deep.equal(['open', null]);
      const edit = (over: object) => shares.editShare(world.caller, created.share.id, over);
      expect((await edit({ password: 'long enough' })).state).to.equal('locked');
      expect(await state()).to.deep.equal(['locked', 'password']);
      await objects.deleteObject(world.caller, id, false);
      expect(await state()).to.deep.equal(['suspended', 'in_trash']);
      await objects.restoreObject(world.caller, id);
      await objects.editObject(world.caller, id, { isHidden: true });
      expect(await state()).to.deep.equal(['suspended', 'hidden']);
      world.now += 2 * DAY_MS;
      expect(await state()).to.deep.equal(['expired', 'expiry']);
      await objects.editObject(world.caller, id, { isHidden: false });
      expect(await state()).to.deep.equal(['expired', 'expiry']);
      expect((await edit({ expiresInDays: 1, password: '' })).state).to.equal('open');
      expect(await state()).to.deep.equal(['open', null]);
    });
  });

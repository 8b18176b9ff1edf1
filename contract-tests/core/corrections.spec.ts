import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const GERMAN = 'Die Häuser wurden renoviert.';

for (const [name, open] of backends)
  describe(`${name}: corrected texts`, () => {
    let backend: Backend;
    let world: CoreFixture;
    let id: string;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `corrections-${name}-${process.pid}-${Math.random()}`);
      world.extractions.set('a.txt', () => ({
        outcome: 'text',
        source: 'native',
        text: 'The houses were painted.',
        title: '',
        language: 'en',
        pages: [],
      }));
      const file = await world.file('a.txt', 'x');
      const [added] = await world.core.objects.addFiles(world.caller, [file], {});
      id = added?.object.id ?? '';
      await world.runPendingTasks();
    });

    const correct = () =>
      world.core.processing.correctText(world.caller, id, { text: GERMAN, baseVersion: 1 });
    const shown = () => world.core.processing.getText(world.caller, id);
    const finds = async (q: string) =>
      (
        await world.core.search.searchObjects(world.caller, {
          q,
          includeHidden: false,
          limit: 10,
          offset: 0,
        })
      ).items.length > 0;

    it('are shown and searched in their own language, and are replaced by the extracted text when removed', async () => {
      world.languages.of = () => Promise.resolve('de');
      expect(await finds('Haus')).to.equal(false);
      expect(await correct()).to.include({ language: 'de', source: 'corrected' });
      expect(await shown()).to.include({ language: 'de', text: GERMAN });
      expect(await finds('Haus')).to.equal(true);
      expect(await finds('house')).to.equal(false);
      await world.core.processing.dropCorrection(world.caller, id);
      expect(await shown()).to.include({ language: 'en', source: 'native' });
      expect(await finds('house')).to.equal(true);
    });

    it('are saved even if their language cannot be detected at the moment', async () => {
      world.languages.of = () => Promise.reject(new UnavailableError('text-extraction', 'away'));
      expect(await correct()).to.include({ language: 'en', source: 'corrected' });
      expect(await shown()).to.include({ text: GERMAN });
    });

    it('count in the storage quota until they are removed', async () => {
      const used = async () =>
        (await world.core.usage.usageOf(world.caller)).items.find(
          ({ metric }) => metric === 'storage_bytes',
        )!.used;
      const bytes = Buffer.byteLength(GERMAN);
      const before = await used();
      const withLimit = (storageBytes: number) => ({
        ...world.caller,
        limits: { ...world.caller.limits, storageBytes },
      });
      const put = (storageBytes: number, text: string) =>
        world.core.processing
          .correctText(withLimit(storageBytes), id, { text, baseVersion: 1 })
          .then(
            () => 'saved',
            (error: { code?: string }) => error.code,
          );
      expect(await put(before + bytes - 1, GERMAN)).to.equal('plan_limit');
      expect(await used()).to.equal(before);
      expect(await put(before + bytes, GERMAN)).to.equal('saved');
      expect(await used()).to.equal(before + bytes);
      expect(await put(before + bytes, `${GERMAN}!`)).to.equal('plan_limit');
      // A full quota, or one that was lowered since, accepts what needs no more room.
      expect(await put(before, GERMAN.toUpperCase())).to.equal('saved');
      expect(await put(before, 'x')).to.equal('saved');
      expect(await used()).to.equal(before + 1);
      await world.core.processing.dropCorrection(world.caller, id);
      expect(await used()).to.equal(before);
    });

    it('are not saved if the detector has a defect', async () => {
      world.languages.of = () => Promise.reject(new Error('a defect'));
      const error = await correct().catch((e: unknown) => e);
      expect(error).to.have.property('message', 'a defect');
      expect(await shown()).to.include({ source: 'native' });
    });
  });

import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import type { Extraction } from '../../ports/text-extraction.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const text = (words: string, over: object = {}): Extraction => ({
  outcome: 'text',
  source: 'extracted',
  text: words,
  title: '',
  language: 'en',
  pages: [{ page: 1, charStart: 0, charEnd: words.length }],
  ...over,
});
const SCAN: Extraction = {
  outcome: 'none',
  expected: true,
  reason: 'It is a scan.',
  scanned: true,
};
const HALF = text('Half of it is printed.', { scanned: true });

for (const [name, open] of backends)
  describe(`${name}: recognised texts`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `recognition-${name}-${process.pid}-${Math.random()}`);
    });

    const add = async (filename: string, extraction: Extraction): Promise<string> => {
      world.extractions.set(filename, () => extraction);
      const file = await world.file(filename, filename);
      const [added] = await world.core.objects.addFiles(world.caller, [file], {});
      return added?.object.id ?? '';
    };
    const card = async (id: string) => {
      const { object } = await world.core.objects.getObject(world.caller, id);
      const { status, error, textState, needsManual } = object;
      return { status, error, textState, needsManual };
    };
    const shown = (id: string) => world.core.processing.getText(world.caller, id);
    const finds = async (q: string) =>
      (
        await world.core.search.searchObjects(world.caller, {
          q,
          includeHidden: false,
          limit: 10,
          offset: 0,
        })
      ).items.length;

    it('are pending if OCR is installed, and then become the text of the object', async () => {
      let looked: unknown;
      world.recognitions.set('scan.pdf', async () => {
        looked = await card(id);
        return text('The wording of the scan.', { source: 'ocr' });
      });
      const id = await add('scan.pdf', SCAN);
      await world.runPendingTasks();
      expect(looked).to.deep.equal({
        status: 'processing',
        error: null,
        textState: 'pending',
        needsManual: false,
      });
      expect(await card(id)).to.deep.equal({
        status: 'ready',
        error: null,
        textState: 'available',
        needsManual: false,
      });
      expect(await shown(id)).to.include({ source: 'ocr', text: 'The wording of the scan.' });
      expect(await finds('wording')).to.equal(1);
    });

    it('are not awaited without OCR: the object needs attention', async () => {
      const id = await add('scan.pdf', SCAN);
      await world.runPendingTasks();
      expect(await card(id)).to.deep.equal({
        status: 'ready',
        error: 'It is a scan.',
        textState: 'absent',
        needsManual: true,
      });
      const half = await add('half.pdf', HALF);
      await world.runPendingTasks();
      expect(await card(half)).to.include({ status: 'ready', textState: 'available' });
    });

    it('of a file with a text layer: that text is searchable during OCR', async () => {
      let found = 0;
      world.recognitions.set('half.pdf', async () => {
        found = await finds('printed');
        return text('Half of it is printed. The rest was recognised.', { source: 'ocr' });
      });
      const id = await add('half.pdf', HALF);
      await world.runPendingTasks();
      expect(found).to.equal(1);
      expect(await finds('recognised')).to.equal(1);
      expect(await shown(id)).to.include({ source: 'ocr' });
    });

    it('of a photo are empty, and the object needs no attention', async () => {
      world.recognitions.set('photo.pdf', () => ({
        outcome: 'none',
        expected: false,
        reason: 'No text.',
      }));
      const id = await add('photo.pdf', SCAN);
      await world.runPendingTasks();
      expect(await card(id)).to.deep.equal({
        status: 'ready',
        error: null,
        textState: 'absent',
        needsManual: false,
      });
    });

    it('are retried after an outage, and abandoned if they crash their worker', async () => {
      world.recognitions.set('scan.pdf', (attempt) => {
        if (attempt === 1) throw new UnavailableError('text-recognition', 'closing');
        return text('After all.', { source: 'ocr' });
      });
      const id = await add('scan.pdf', SCAN);
      await world.runPendingTasks();
      expect((await card(id)).status).to.equal('processing');
      world.now += 60_000;
      await world.core.background.offerDueTasks();
      await world.runPendingTasks();
      expect(await shown(id)).to.include({ text: 'After all.' });

      for (const [filename, extraction, expected] of [
        ['bad.pdf', SCAN, { status: 'failed', textState: 'absent' }],
        ['worse.pdf', HALF, { status: 'ready', textState: 'available' }],
      ] as const) {
        world.recognitions.set(filename, () => {
          throw new Error('broken');
        });
        const broken = await add(filename, extraction);
        for (let attempt = 0; attempt < 5; attempt++) {
          await world.runPendingTasks();
          world.now += 60_000;
          await world.core.background.offerDueTasks();
        }
        expect(await card(broken)).to.deep.include(expected);
        expect((await card(broken)).error).to.match(/broken/);
      }
      expect(await finds('printed')).to.equal(1);
    });

    it('of a content that was replaced meanwhile have no effect', async () => {
      world.recognitions.set('scan.pdf', async (attempt) => {
        if (attempt === 1)
          await world.core.objects.saveFile(world.caller, id, {
            file: await world.file('scan.pdf', 'other bytes'),
            baseVersion: 1,
          });
        return text(`Reading ${attempt}.`, { source: 'ocr' });
      });
      const id = await add('scan.pdf', SCAN);
      await world.runPendingTasks();
      expect(await shown(id)).to.include({ text: 'Reading 2.', version: 2 });
      expect((await card(id)).status).to.equal('ready');
    });
  });

import { expect } from 'chai';
import type { AutoRenameMode } from '../../ports/settings.ts';
import type { Extraction } from '../../ports/text-extraction.ts';
import { capabilitiesOf } from '../../core/objects/index.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const INVOICE =
  'Lumen Optics GmbH\nINVOICE\nInvoice no. 17\nInvoice date: 12 March 2024\nBill to: Ann Lee\nLenses $40.00\nAmount due $40.00\n';
const MINUTES =
  '# Weekly sync, 14 May 2024\n\nAttendees: Ann Lee\nAgenda\n1. Release\nAction items\n- Ann: send the plan\n';
const GOOD_NAME = '2024-03-12 Invoice Lumen Optics GmbH.pdf';

const text = (content: string, title = ''): Extraction => ({
  outcome: 'text',
  source: 'extracted',
  text: content,
  title,
  language: 'en',
  pages: [{ page: 1, charStart: 0, charEnd: content.length }],
});
const SCAN: Extraction = { outcome: 'none', expected: true, reason: 'This is a scan.' };
const SOUND: Extraction = { outcome: 'none', expected: false, reason: 'No text in these.' };
const BROKEN: Extraction = { outcome: 'failed', reason: 'The file is damaged.' };

for (const [name, open] of backends)
  describe(`${name}: metadata derived from an object's text`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `enriched-${name}-${process.pid}-${Math.random()}`);
    });

    const reads = (filename: string, ...each: Extraction[]) =>
      world.extractions.set(filename, (attempt) => each[Math.min(attempt, each.length) - 1]!);
    const put = async (filename: string, ...each: Extraction[]) => {
      reads(filename, ...each);
      const file = await world.file(filename, `bytes of ${filename}`);
      const [added] = await world.core.objects.addFiles(world.caller, [file], {});
      const id = added?.object.id ?? '';
      await world.runPendingTasks();
      return id;
    };
    const get = (id: string) => world.core.objects.getObject(world.caller, id);
    const replace = async (id: string, version: number) => {
      const { object } = await get(id);
      const file = await world.file(object.filename, `bytes ${version} of ${id}`);
      const view = await world.core.objects.saveFile(world.caller, id, {
        file,
        baseVersion: version,
      });
      return view;
    };
    const correct = (id: string, content: string, baseVersion = 1) =>
      world.core.processing.correctText(world.caller, id, { text: content, baseVersion });
    const drop = (id: string) => world.core.processing.dropCorrection(world.caller, id);
    const answer = (id: string, accept: boolean) =>
      world.core.objects.resolveSuggestion(world.caller, id, accept);
    const mode = (autoRenameMode: AutoRenameMode) =>
      world.core.settings.putSettings(world.caller, { autoRenameMode });
    const codeOf = (promise: Promise<unknown>) =>
      promise.then(
        () => 'none',
        (error: unknown) => (error as { code: string }).code,
      );
    const found = async (docType: string) =>
      (
        await world.core.search.searchObjects(world.caller, {
          q: 'lenses plan invoice',
          docType,
          limit: 5,
          offset: 0,
        })
      ).items.map(({ view }) => view.object.id);

    it('includes the new kind as soon as another content is saved, read or not', async () => {
      const id = await put('zeppelin.txt', SOUND);
      const file = await world.file('zeppelin.png', 'picture png');
      const save = { file, baseVersion: 1 };
      const { object } = await world.core.objects.saveFile(world.caller, id, save);
      const of = async (kind: string) =>
        (
          await world.core.search.searchObjects(world.caller, {
            ...{ q: 'zeppelin', kind, includeHidden: false },
            ...{ limit: 5, offset: 0 },
          })
        ).total;
      expect(object.kind).to.equal('image');
      expect([await of('image'), await of('text')]).to.deep.equal([1, 0]);
    });

    it('is empty before reading, and then has type, title, summary and entities', async () => {
      reads('a.pdf', text(INVOICE));
      const file = await world.file('a.pdf', 'x');
      const [added] = await world.core.objects.addFiles(world.caller, [file], {});
      expect(added?.enrichment).to.equal(undefined);
      await world.runPendingTasks();
      const { object, enrichment } = await get(added?.object.id ?? '');
      expect(object).to.include({ docType: 'invoice', title: 'INVOICE', status: 'ready' });
      expect(object.summary).to.include('Lumen Optics');
      expect(enrichment).to.include({ model: 'builtin', language: 'en', docType: 'invoice' });
      expect(enrichment?.entities).to.deep.include({
        dates: ['12 March 2024'],
        amounts: ['$40.00'],
        organizations: ['Lumen Optics GmbH'],
      });
      expect(await found('invoice')).to.deep.equal([object.id]);
    });

    it('has the date of a meeting', async () => {
      const id = await put('a.pdf', text(MINUTES));
      expect((await get(id)).object).to.include({
        docType: 'meeting_notes',
        meetingDate: Date.UTC(2024, 4, 14),
      });
      await correct(id, INVOICE);
      expect((await get(id)).object.meetingDate).to.equal(null);
    });

    it('is derived from the corrected text, and from the extracted one once the correction is removed', async () => {
      const id = await put('a.pdf', text(INVOICE));
      await correct(id, MINUTES);
      expect((await get(id)).enrichment).to.include({ docType: 'meeting_notes' });
      expect((await get(id)).object).to.include({ docType: 'meeting_notes' });
      expect(await found('meeting_notes')).to.deep.equal([id]);
      expect(await found('invoice')).to.deep.equal([]);
      await drop(id);
      expect((await get(id)).object).to.include({ docType: 'invoice' });
      expect(await found('invoice')).to.deep.equal([id]);
    });

    it('is derived again from a new content, and removed if that cannot be read', async () => {
      const id = await put('a.pdf', text(INVOICE), text(MINUTES), BROKEN, SCAN);
      await replace(id, 1);
      await world.runPendingTasks();
      expect((await get(id)).enrichment).to.include({ docType: 'meeting_notes', version: 2 });
      await replace(id, 2);
      await world.runPendingTasks();
      const failed = await get(id);
      expect(failed.enrichment).to.equal(undefined);
      expect(failed.object).to.include({
        status: 'failed',
        docType: 'other',
        title: '',
        summary: '',
        meetingDate: null,
      });
      await replace(id, 3);
      await world.runPendingTasks();
      expect((await get(id)).enrichment).to.include({ docType: 'other', summary: '' });
    });

    it('is deleted with the object', async () => {
      const id = await put('a.pdf', text(INVOICE));
      await world.core.objects.deleteObject(world.caller, id, true);
      const left = await backend.uow.read(world.caller.scope, ({ enrichments }) =>
        enrichments.find(id),
      );
      expect(left).to.equal(undefined);
    });

    it("keeps a note's title set by its owner, and otherwise derives it from the text", async () => {
      const add = (title?: string) =>
        world.core.objects.addNote(world.caller, {
          content: '# From the text\n\nSome words about the harbour follow here.',
          ...(title !== undefined && { title }),
        });
      const given = await add('My own title');
      const without = await add();
      await world.runPendingTasks();
      expect((await get(given.object.id)).object.title).to.equal('My own title');
      expect((await get(without.object.id)).object.title).to.equal('From the text');
      expect((await get(given.object.id)).object).to.include({
        docType: 'note',
        suggestedName: null,
      });
    });

    describe('suggests a name that', () => {
      it('has a reason by default, and is applied when accepted', async () => {
        const id = await put('scan1.pdf', text(INVOICE));
        const { object } = await get(id);
        expect(object).to.include({
          filename: 'scan1.pdf',
          suggestedName: GOOD_NAME,
          nameSource: 'original',
          aiName: '',
        });
        expect(object.suggestedReason).to.match(/invoice of Lumen Optics GmbH dated 2024-03-12/);
        expect((await answer(id, true)).object).to.include({
          filename: GOOD_NAME,
          aiName: GOOD_NAME,
          nameSource: 'ai',
          nameLocked: false,
          originalName: 'scan1.pdf',
          suggestedName: null,
          suggestedReason: null,
        });
        expect(await codeOf(answer(id, true))).to.equal('nothing_suggested');
      });

      it('is dismissed for this content, and suggested again for the next', async () => {
        const id = await put('scan2.pdf', text(INVOICE));
        expect((await answer(id, false)).object).to.include({
          filename: 'scan2.pdf',
          nameSource: 'original',
          suggestedName: null,
        });
        await correct(id, `${INVOICE} again`);
        expect((await get(id)).object.suggestedName).to.equal(null);
        await drop(id);
        expect((await get(id)).object.suggestedName).to.equal(null);
        await replace(id, 1);
        await world.runPendingTasks();
        expect((await get(id)).object.suggestedName).to.equal(GOOD_NAME);
      });

      it("is applied immediately if the owner wants that, but never replaces an owner's name", async () => {
        await mode('auto');
        const id = await put('scan3.pdf', text(INVOICE));
        expect((await get(id)).object).to.include({
          filename: GOOD_NAME,
          aiName: GOOD_NAME,
          nameSource: 'ai',
          nameLocked: false,
          suggestedName: null,
        });
        reads('scan4.pdf', text(INVOICE));
        const file = await world.file('scan4.pdf', 'x');
        const [added] = await world.core.objects.addFiles(world.caller, [file], {});
        const locked = added?.object.id ?? '';
        reads('mine.pdf', text(INVOICE));
        await world.core.objects.editObject(world.caller, locked, { filename: 'mine.pdf' });
        await world.runPendingTasks();
        expect((await get(locked)).object).to.include({
          filename: 'mine.pdf',
          nameSource: 'user',
          aiName: '',
          suggestedName: null,
          docType: 'invoice',
        });
      });

      it('is neither applied nor suggested if the owner has disabled names', async () => {
        await mode('dont_rename');
        const id = await put('scan5.pdf', text(INVOICE));
        expect((await get(id)).object).to.include({
          filename: 'scan5.pdf',
          suggestedName: null,
          docType: 'invoice',
        });
      });

      it('comes with a suggested folder, which may have been deleted since', async () => {
        const id = await put('scan6.pdf', text(INVOICE));
        const suggest = (suggestedCollectionId: string) =>
          backend.uow.write(world.caller.scope, async ({ objects }) => {
            const object = await objects.find(id);
            if (object) await objects.save({ ...object, suggestedCollectionId });
          });
        const { collection } = await world.core.library.createCollection(world.caller, {
          name: 'Bills',
        });
        await suggest(collection.id);
        const moved = await answer(id, true);
        expect(moved.object).to.include({
          collectionId: collection.id,
          filename: GOOD_NAME,
          suggestedCollectionId: null,
        });
        expect(moved.collectionName).to.equal('Bills');
        await suggest('0198a1b2-0000-7000-8000-000000000000');
        expect((await answer(id, true)).object).to.include({
          collectionId: collection.id,
          suggestedCollectionId: null,
        });
      });

      it('is not made for objects in the trash', async () => {
        const id = await put('scan7.pdf', text(INVOICE));
        await world.core.objects.deleteObject(world.caller, id, false);
        expect(await codeOf(answer(id, true))).to.equal('in_trash');
      });
    });

    describe('and the resulting capabilities', () => {
      interface Flags {
        readonly needsManual: boolean;
        readonly textView: boolean;
        readonly hasCorrections: boolean;
      }
      const flags = async (id: string): Promise<Flags> => {
        const { object } = await get(id);
        const { textView } = capabilitiesOf(object);
        return {
          needsManual: object.needsManual,
          textView,
          hasCorrections: object.hasCorrections,
        };
      };
      const NONE: Flags = { needsManual: false, textView: false, hasCorrections: false };
      const MANUAL: Flags = { ...NONE, needsManual: true };
      const TEXT: Flags = { ...NONE, textView: true };
      const CORRECTED: Flags = { ...TEXT, hasCorrections: true };

      type Step = 'read' | 'correct' | 'drop' | 'replace';
      const CASES: readonly (readonly [
        what: string,
        read: readonly Extraction[],
        steps: readonly (readonly [Step, Flags])[],
      ])[] = [
        [
          'a text',
          [text('One.')],
          [
            ['read', TEXT],
            ['correct', CORRECTED],
            ['drop', TEXT],
          ],
        ],
        [
          'a scan',
          [SCAN],
          [
            ['read', MANUAL],
            ['correct', CORRECTED],
            ['drop', MANUAL],
          ],
        ],
        [
          'a file without text',
          [SOUND],
          [
            ['read', NONE],
            ['correct', CORRECTED],
            ['drop', NONE],
          ],
        ],
        [
          'a broken file',
          [BROKEN],
          [
            ['read', NONE],
            ['correct', CORRECTED],
            ['drop', NONE],
          ],
        ],
        [
          'a correction made before the file is read',
          [SCAN],
          [
            ['correct', CORRECTED],
            ['read', CORRECTED],
            ['drop', MANUAL],
          ],
        ],
        [
          'a correction dropped before the file is read',
          [text('One.')],
          [
            ['correct', CORRECTED],
            ['drop', NONE],
            ['read', TEXT],
          ],
        ],
        [
          'a correction of a file that turns out broken',
          [BROKEN],
          [
            ['correct', CORRECTED],
            ['read', CORRECTED],
            ['drop', NONE],
          ],
        ],
        [
          'a new content over a scan',
          [SCAN, text('One.')],
          [
            ['read', MANUAL],
            ['replace', NONE],
            ['read', TEXT],
          ],
        ],
        [
          'a new content over a corrected scan',
          [SCAN, SCAN],
          [
            ['read', MANUAL],
            ['correct', CORRECTED],
            ['replace', NONE],
            ['read', MANUAL],
          ],
        ],
        [
          'a new content over a corrected text',
          [text('One.'), BROKEN],
          [
            ['read', TEXT],
            ['correct', CORRECTED],
            ['replace', TEXT],
            ['read', NONE],
          ],
        ],
      ];
      CASES.forEach(([what, read, steps], number) =>
        it(`are correct for ${what}, at every step`, async () => {
          const filename = `case-${number}.pdf`;
          reads(filename, ...read);
          const file = await world.file(filename, 'x');
          const [added] = await world.core.objects.addFiles(world.caller, [file], {});
          const id = added?.object.id ?? '';
          let version = 1;
          expect(await flags(id)).to.deep.equal(NONE);
          for (const [step, expected] of steps) {
            if (step === 'read') await world.runPendingTasks();
            if (step === 'correct') await correct(id, 'Put right.', version);
            if (step === 'drop') await drop(id);
            if (step === 'replace') version = (await replace(id, version)).object.version;
            const reported = await flags(id);
            expect(reported, step).to.deep.equal(expected);
            const shown = await codeOf(world.core.processing.getText(world.caller, id));
            expect(shown, `text after ${step}`).to.equal(reported.textView ? 'none' : 'not_found');
          }
        }),
      );

      it('are updated when reading fails', async () => {
        const id = await put('gone.pdf', text(INVOICE));
        world.extractions.set('gone.pdf', () => Promise.reject(new Error('gives up')));
        await replace(id, 1);
        for (let attempt = 0; attempt < 12; attempt++) {
          await world.runPendingTasks();
          world.now += 3_600_000;
          await world.core.background.offerDueTasks();
        }
        const { object, enrichment } = await get(id);
        expect(object.status).to.equal('failed');
        expect(await flags(id)).to.deep.equal(NONE);
        expect(enrichment).to.equal(undefined);
        expect(await codeOf(world.core.processing.getText(world.caller, id))).to.equal('not_found');
      });
    });
  });

describe('the editor of an object', () => {
  for (const [kind, format, editor, fallback] of [
    ['document', 'docx', 'office', true],
    ['document', 'rtf', 'office', true],
    ['document', 'odt', 'office', true],
    ['spreadsheet', 'csv', 'office', true],
    ['spreadsheet', 'xlsx', 'office', true],
    ['presentation', 'pptx', 'office', true],
    ['note', 'md', 'text', false],
    ['text', 'txt', 'text', false],
    ['text', 'py', 'text', false],
    ['image', 'png', 'image', false],
    ['image', 'gif', null, false],
    ['pdf', 'pdf', null, false],
    ['document', 'html', null, false],
    ['document', 'epub', null, false],
    ['audio', 'mp3', null, false],
  ] as const)
    it(`is ${String(editor)} for ${format}, and its text ${fallback ? 'is the fallback' : 'is no fallback'}`, () => {
      for (const textState of ['available', 'pending', 'absent'] as const) {
        const traits = capabilitiesOf({ kind, format, textState });
        expect(traits.editor).to.equal(editor);
        expect(traits.textView).to.equal(textState === 'available');
        expect(traits.textFallback).to.equal(fallback && textState === 'available');
      }
    });
});

import { expect } from 'chai';
import type { ScriptedAnswer } from '../../adapters/memory/language-model.ts';
import { BUILT_IN_ROLES } from '../../core/identity/index.ts';
import type { OperatorModel } from '../../core/models/index.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { ModelRequest } from '../../ports/language-model.ts';
import type { Extraction } from '../../ports/text-extraction.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const INVOICE =
  'Lumen Optics GmbH\nINVOICE\nInvoice no. 17\nInvoice date: 12 March 2024\nBill to: Ann Lee\nLenses $40.00\nAmount due $40.00\n';
const MINUTES = 'We met on 14 May 2024 and spoke of lamps. Ann Lee will send the plan to Bob Roe.';
const BUILT_IN_NAME = '2024-03-12 Invoice Lumen Optics GmbH.pdf';

const REPLY = {
  title: 'Lenses for the workshop',
  description: 'A bill for lenses.',
  summary: 'Lumen Optics bills Ann Lee for lenses.',
  keywords: ['lenses', 'workshop'],
  doc_type: 'letter',
  language: 'en',
  entities: { people: ['Ann Lee', 'Somebody Else'], organizations: ['Lumen Optics GmbH'] },
};
const MODEL_NAME = '2024-03-12 Letter Lumen Optics GmbH.pdf';
const says = (over: object = {}): ScriptedAnswer => ({
  pieces: [`\`\`\`json\n${JSON.stringify({ ...REPLY, ...over })}\n\`\`\``],
});
const text = (content: string, over: object = {}): Extraction => ({
  outcome: 'text',
  source: 'extracted',
  text: content,
  title: '',
  language: 'en',
  pages: [{ page: 1, charStart: 0, charEnd: content.length }],
  ...over,
});
const OPERATOR: OperatorModel = {
  endpoint: {
    baseUrl: 'http://house.test/v1',
    model: 'house-9b',
    key: 'sk-of-the-house',
    temperature: null,
    chosenBy: 'operator',
  },
  contextTokens: 8_192,
};
const ALL = { unreadOnly: false, limit: 200, offset: 0 };

for (const [name, open] of backends)
  describe(`${name}: enrichment by a model`, () => {
    let backend: Backend;
    let world: CoreFixture;
    let requested: ModelRequest[];
    /** Called during the model call. */
    let meanwhile: (() => Promise<unknown>) | undefined;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(() => enter());

    const enter = async (over: Parameters<typeof openCoreFixture>[2] = {}) => {
      world = await openCoreFixture(
        backend,
        `by-model-${name}-${process.pid}-${Math.random()}`,
        over,
      );
      meanwhile = undefined;
      answers(says());
    };
    const answers = (...each: (ScriptedAnswer | Error)[]) => {
      requested = [];
      world.model.says = async (request) => {
        const answer = each[Math.min(requested.push(request), each.length) - 1];
        await meanwhile?.();
        if (!answer || answer instanceof Error) throw answer ?? new Error('Nothing to say.');
        return answer;
      };
    };
    const connect = async (over: object = {}) => {
      const config = { base_url: 'http://models.test/v1', model: 'lamp-7b', ...over };
      const before = world.model.says;
      world.model.says = () => ({ pieces: ['ready'] });
      await world.core.integrations.connectModel(world.caller, { config });
      world.model.says = before;
    };
    const add = async (filename: string, content: string | Extraction, over: object = {}) => {
      const extraction = typeof content === 'string' ? text(content) : content;
      world.extractions.set(filename, () => extraction);
      const file = await world.file(filename, `bytes of ${filename}`);
      const [added] = await world.core.objects.addFiles(world.caller, [file], over);
      return added?.object.id ?? '';
    };
    const put = async (...how: Parameters<typeof add>) => {
      const id = await add(...how);
      await world.runPendingTasks();
      return id;
    };
    const get = (id: string) => world.core.objects.getObject(world.caller, id);
    const madeBy = async (id: string) => (await get(id)).enrichment?.model;
    const card = () => world.core.integrations.getIntegration(world.caller, 'llm');
    const later = async () => {
      world.now += 60_000;
      await world.core.background.offerDueTasks();
      await world.runPendingTasks();
    };
    const reported = async () =>
      (await world.core.notifications.listNotifications(world.caller, ALL)).items
        .map(({ kind }) => kind)
        .reverse();
    const finds = async (q: string) =>
      (await world.core.search.searchObjects(world.caller, { q, limit: 5, offset: 0 })).items
        .length;
    const correct = (id: string, content: string) =>
      world.core.processing.correctText(world.caller, id, { text: content, baseVersion: 1 });
    const used = async () => {
      const { items } = await world.core.usage.usageOf(world.caller);
      return items.find(({ metric }) => metric === 'enrichments')?.used;
    };

    it('does nothing without a model: no call, and no task remains', async () => {
      const id = await put('a.pdf', INVOICE);
      expect(requested).to.deep.equal([]);
      const { object, enrichment } = await get(id);
      expect(object).to.include({ status: 'ready', suggestedName: BUILT_IN_NAME });
      expect(enrichment).to.include({ model: 'builtin' });
      const due = await backend.directory.dueTasks(world.now + 1e9, 1_000, {
        only: ['object.enrich'],
      });
      // Other specs share the database.
      for (const task of due) {
        const owner = await backend.directory.ownerOfTask(task.id);
        expect(owner?.ownerId).not.to.equal(world.caller.scope.ownerId);
      }
    });

    it('follows the built-in enrichment, which is searchable meanwhile', async () => {
      await connect();
      let seen: unknown;
      meanwhile = async () => {
        const { object, enrichment } = await get(id);
        seen = [object.status, object.suggestedName, enrichment?.model, await finds('lenses')];
        expect(await reported()).to.deep.equal([]);
      };
      const id = await add('a.pdf', INVOICE);
      await world.runPendingTasks();
      expect(seen).to.deep.equal(['processing', null, 'builtin', 1]);
      const { object, enrichment } = await get(id);
      expect(object).to.include({
        status: 'ready',
        error: null,
        docType: 'letter',
        title: REPLY.title,
        summary: REPLY.summary,
        meetingDate: null,
        suggestedName: MODEL_NAME,
        filename: 'a.pdf',
      });
      expect(enrichment).to.deep.include({
        version: 1,
        model: 'lamp-7b',
        language: 'en',
        title: REPLY.title,
        description: REPLY.description,
        summary: REPLY.summary,
        docType: 'letter',
        keywords: REPLY.keywords,
      });
      expect(enrichment?.entities).to.deep.include({
        people: ['Ann Lee'],
        organizations: ['Lumen Optics GmbH'],
        dates: [],
      });
      expect(await reported()).to.deep.equal(['object.ready']);
      expect(await finds('workshop'), 'found by its title').to.equal(1);
    });

    it('is requested once, as JSON, with the text as data and within the context window', async () => {
      await connect({ context_tokens: 2_000, temperature: 0.1 });
      await put('a.pdf', `BEGIN ${'words and words '.repeat(10_000)} END`);
      expect(requested).to.have.length(1);
      const [request] = requested;
      expect(request).to.deep.include({ jsonOnly: true, totalMs: 60_000 });
      expect(request?.endpoint).to.include({
        model: 'lamp-7b',
        chosenBy: 'owner',
        temperature: 0.1,
      });
      const content = request?.messages.at(-1)?.content ?? '';
      expect(content).to.include('File name: a.pdf').and.to.include('BEGIN').and.to.include('END');
      expect(content.length).to.be.below(6_000);
    });

    it("names the object according to the owner's setting, once, and preserves a locked name and the extension", async () => {
      await connect();
      const mode = (autoRenameMode: 'auto' | 'dont_rename') =>
        world.core.settings.putSettings(world.caller, { autoRenameMode });
      await mode('auto');
      const names: string[] = [];
      meanwhile = async () => void names.push((await get(id)).object.filename);
      let id = await add('a.pdf', INVOICE);
      await world.runPendingTasks();
      expect(names).to.deep.equal(['a.pdf']);
      const named = { filename: MODEL_NAME, aiName: MODEL_NAME, nameSource: 'ai' };
      expect((await get(id)).object).to.include({ ...named, suggestedName: null });
      answers(says({ doc_type: 'report', title: 'Quite another title' }));
      world.extractions.set(MODEL_NAME, () => text(INVOICE));
      await world.core.processing.reprocessObject(world.caller, id);
      await world.runPendingTasks();
      expect((await get(id)).object).to.include({ ...named, docType: 'report' });

      meanwhile = undefined;
      id = await add('b.pdf', INVOICE);
      world.extractions.set('mine.pdf', () => text(INVOICE));
      await world.core.objects.editObject(world.caller, id, { filename: 'mine.pdf' });
      await world.runPendingTasks();
      expect((await get(id)).object).to.include({ filename: 'mine.pdf', docType: 'report' });
      await mode('dont_rename');
      id = await put('c.pdf', INVOICE);
      expect((await get(id)).object).to.include({ filename: 'c.pdf', suggestedName: null });
    });

    it('names a new content again, also replacing a name generated for the previous one', async () => {
      await connect();
      await world.core.settings.putSettings(world.caller, { autoRenameMode: 'auto' });
      const id = await put('a.pdf', INVOICE);
      answers(says({ title: 'Another matter altogether', doc_type: 'report' }));
      world.extractions.set(MODEL_NAME, () => text(INVOICE));
      const file = await world.file('a.pdf', 'other bytes');
      await world.core.objects.saveFile(world.caller, id, { file, baseVersion: 1 });
      await world.runPendingTasks();
      expect((await get(id)).object).to.include({
        version: 2,
        filename: 'Another matter altogether.pdf',
        status: 'ready',
      });
    });

    it('dates a meeting for meeting notes only', async () => {
      await connect();
      answers(says({ doc_type: 'meeting_notes' }));
      const id = await put('a.pdf', MINUTES);
      expect((await get(id)).object.meetingDate).to.equal(Date.UTC(2024, 4, 14));
      answers(says({ doc_type: 'report' }));
      await world.core.processing.reprocessObject(world.caller, id);
      await world.runPendingTasks();
      expect((await get(id)).object).to.include({ meetingDate: null, docType: 'report' });
    });

    it('includes notes and links, which keep their titles', async () => {
      await connect();
      const note = await world.core.objects.addNote(world.caller, {
        title: 'Mine',
        content: 'Lumen Optics GmbH sent lenses to Ann Lee.',
      });
      world.web.set('https://lumen.example/', {
        mime: 'text/plain',
        bytes: 'Ann Lee of Lumen Optics GmbH makes lenses.',
      });
      const link = await world.core.objects.addLink(world.caller, {
        url: 'https://lumen.example/',
      });
      await world.runPendingTasks();
      for (const { object } of [note, link]) {
        const found = await get(object.id);
        expect(found.object.status, found.object.error ?? '').to.equal('ready');
        expect(found.enrichment).to.include({ model: 'lamp-7b', title: REPLY.title });
      }
      expect((await get(note.object.id)).object.title).to.equal('Mine');
    });

    for (const [label, answer] of [
      ['is no JSON', { pieces: ['I am a teapot.'] }],
      ['does not fit', says({ doc_type: 'poem' })],
      ['is cut off', { pieces: ['{"title": "x'], then: 'cut' }],
      ['is refused', { refused: 500 }],
      ['is empty', { pieces: ['  '] }],
      ['is thought only', { pieces: ['<think>hm'], reason: 'length' }],
    ] as [string, ScriptedAnswer][])
      it(`falls back to the built-in findings if the reply ${label}`, async () => {
        await connect();
        answers(answer);
        const id = await put('a.pdf', INVOICE);
        await later();
        const { object, enrichment } = await get(id);
        expect(object).to.include({ status: 'ready', error: null, docType: 'invoice' });
        expect(object.suggestedName).to.equal(BUILT_IN_NAME);
        expect(enrichment).to.include({ model: 'builtin', docType: 'invoice' });
        expect(requested.length).to.be.within(1, 2);
        expect(await reported()).to.include('object.ready');
        await later();
        expect(requested.length).to.be.at.most(2);
      });

    it('is retried once after a failure, without JSON mode', async () => {
      await connect();
      answers({ refused: 400 }, says());
      const id = await put('a.pdf', INVOICE);
      expect((await get(id)).object.status).to.equal('processing');
      await later();
      expect(await madeBy(id)).to.equal('lamp-7b');
      expect(requested.map(({ jsonOnly }) => jsonOnly)).to.deep.equal([true, false]);
      expect(await card()).to.include({ status: 'ok' });
      expect(await reported()).to.deep.equal(['object.ready']);
    });

    it('has a time limit', async () => {
      await enter({ answerSeconds: 0.05 });
      await connect();
      answers({ pieces: ['{"title":'], then: 'silence' });
      const id = await put('a.pdf', INVOICE);
      expect((await get(id)).object).to.include({ status: 'ready', docType: 'invoice' });
      expect(requested).to.have.length(1);
      expect((await card()).lastError).to.match(/did not answer within 0.05 seconds/);
    });

    it('waits for the next process if this one closes, without counting an attempt', async () => {
      await connect();
      const closing = new UnavailableError('language-model', 'closing');
      answers(closing, closing, closing, closing, says());
      const id = await put('a.pdf', INVOICE);
      for (let i = 0; i < 3; i++) await later();
      expect((await get(id)).object.status).to.equal('processing');
      await later();
      expect((await get(id)).object.status).to.equal('ready');
      expect(await madeBy(id)).to.equal('lamp-7b');
      expect(await reported()).to.deep.equal(['object.ready']);
    });

    it('is abandoned after a defect, and the object is ready nevertheless', async () => {
      await connect();
      answers(new Error('a defect'));
      const id = await put('a.pdf', INVOICE);
      for (let i = 0; i < 5; i++) await later();
      expect((await get(id)).object).to.include({ status: 'ready', docType: 'invoice' });
      expect(await reported()).to.deep.equal(['object.ready']);
      expect(requested).to.have.length(3);
    });

    it('excludes objects that are hidden or in the trash, before or meanwhile', async () => {
      await connect();
      const hidden = await put('a.pdf', INVOICE, { isHidden: true });
      const id = await add('b.pdf', INVOICE);
      const trashed = await add('c.pdf', INVOICE);
      const hide = async () => {
        await world.core.objects.editObject(world.caller, id, { isHidden: true });
        await world.core.objects.deleteObject(world.caller, trashed, false);
      };
      world.extractions.set('b.pdf', async () => {
        await hide();
        return text(INVOICE);
      });
      await world.runPendingTasks();
      expect(requested).to.deep.equal([]);
      for (const each of [hidden, id, trashed])
        expect((await get(each)).object).to.include({ status: 'ready', docType: 'invoice' });
    });

    it('excludes objects that were hidden before its turn', async () => {
      await connect();
      await add('a.pdf', INVOICE);
      const id = await add('b.pdf', INVOICE);
      meanwhile = () => world.core.objects.editObject(world.caller, id, { isHidden: true });
      await world.runPendingTasks();
      expect(requested).to.have.length(1);
      expect((await get(id)).object).to.include({ status: 'ready', suggestedName: BUILT_IN_NAME });
      expect(await madeBy(id)).to.equal('builtin');
    });

    it('is discarded if the content changed, or the object was deleted, meanwhile', async () => {
      await connect();
      const id = await add('a.pdf', INVOICE);
      meanwhile = async () => {
        meanwhile = undefined;
        answers(says({ title: 'Of the second content' }));
        const file = await world.file('a.pdf', 'other bytes');
        await world.core.objects.saveFile(world.caller, id, { file, baseVersion: 1 });
      };
      await world.runPendingTasks();
      expect((await get(id)).object).to.include({
        version: 2,
        status: 'ready',
        title: 'Of the second content',
      });
      const gone = await add('b.pdf', INVOICE);
      meanwhile = () => world.core.objects.deleteObject(world.caller, gone, true);
      await world.runPendingTasks();
      const left = await backend.uow.read(world.caller.scope, async (stores) => [
        await stores.objects.find(gone),
        await stores.enrichments.find(gone),
      ]);
      expect(left).to.deep.equal([undefined, undefined]);
    });

    it('uses a corrected text, in the background, and again after a second correction', async () => {
      await connect();
      const id = await put('a.pdf', INVOICE);
      answers(says({ title: 'Of the correction', entities: { people: ['Bob Roe', 'Ann Lee'] } }));
      await correct(id, MINUTES);
      expect((await get(id)).object).to.include({ status: 'ready', hasCorrections: true });
      expect(await madeBy(id)).to.equal('builtin');
      await world.runPendingTasks();
      expect((await get(id)).enrichment).to.deep.include({ title: 'Of the correction' });
      expect((await get(id)).enrichment?.entities).to.deep.include({
        people: ['Ann Lee', 'Bob Roe'],
      });
      expect(requested[0]?.messages.at(-1)?.content).to.include('spoke of lamps');

      meanwhile = async () => {
        meanwhile = undefined;
        answers(says({ title: 'Of the last one' }));
        world.now += 1;
        await correct(id, 'Nothing but lenses.');
      };
      world.now += 1;
      await correct(id, MINUTES);
      await world.runPendingTasks();
      expect((await get(id)).object).to.include({ title: 'Of the last one', status: 'ready' });
      answers(says({ title: 'Of what was read' }));
      await world.core.processing.dropCorrection(world.caller, id);
      await world.runPendingTasks();
      expect((await get(id)).object).to.include({ title: 'Of what was read' });
      expect(requested.at(-1)?.messages.at(-1)?.content).to.include('Invoice no. 17');
      expect(await reported()).to.deep.equal(['object.ready']);
    });

    it('of a text corrected during the call leaves the object ready, with one notification', async () => {
      await connect();
      const id = await add('a.pdf', INVOICE);
      meanwhile = async () => {
        meanwhile = undefined;
        await correct(id, MINUTES);
        expect((await get(id)).object.status).to.equal('processing');
      };
      await world.runPendingTasks();
      expect((await get(id)).object).to.include({ status: 'ready', title: REPLY.title });
      expect((await get(id)).object.suggestedName).to.be.a('string');
      expect(requested).to.have.length(2);
      expect(await reported()).to.deep.equal(['object.ready']);
    });

    it('is repeated on request, with a model connected since', async () => {
      const id = await put('a.pdf', INVOICE);
      expect(await madeBy(id)).to.equal('builtin');
      await connect();
      await world.core.processing.reprocessObject(world.caller, id);
      await world.runPendingTasks();
      expect(await madeBy(id)).to.equal('lamp-7b');
      await world.core.integrations.toggleIntegration(world.caller, 'llm', false);
      await world.core.processing.reprocessObject(world.caller, id);
      await world.runPendingTasks();
      expect(await madeBy(id)).to.equal('builtin');
      expect(requested).to.have.length(1);
    });

    it('is skipped if the model was disconnected meanwhile', async () => {
      await connect();
      const id = await add('a.pdf', INVOICE);
      const other = await add('b.pdf', INVOICE);
      meanwhile = () =>
        world.core.integrations.disconnect(world.caller, 'llm').catch(() => undefined);
      await world.runPendingTasks();
      expect(requested).to.have.length(1);
      expect([await madeBy(id), await madeBy(other)]).to.deep.equal(['lamp-7b', 'builtin']);
      expect((await get(other)).object).to.include({
        status: 'ready',
        suggestedName: BUILT_IN_NAME,
      });
    });

    it('follows OCR if there is any, and uses the readable part if OCR fails', async () => {
      await connect();
      const half = text(INVOICE, { scanned: true });
      world.recognitions.set('a.pdf', () => text(`${INVOICE} Recognised.`, { source: 'ocr' }));
      world.recognitions.set('b.pdf', () => ({ outcome: 'failed', reason: 'It is damaged.' }));
      const ids = [await put('a.pdf', half), await put('b.pdf', half)];
      expect(requested).to.have.length(2);
      expect(requested[0]?.messages.at(-1)?.content).to.include('Recognised.');
      for (const id of ids) {
        expect(await madeBy(id)).to.equal('lamp-7b');
        expect((await get(id)).object).to.include({ status: 'ready', suggestedName: MODEL_NAME });
      }
    });

    it('skips an object without a text, and a file that cannot be read', async () => {
      await connect();
      const none = await put('a.pdf', { outcome: 'none', expected: true, reason: 'A scan.' });
      const failed = await put('b.pdf', { outcome: 'failed', reason: 'Damaged.' });
      const blank = await put('c.pdf', ' \n ');
      expect(requested).to.deep.equal([]);
      const statuses = [none, failed, blank].map(async (id) => (await get(id)).object.status);
      expect(await Promise.all(statuses)).to.deep.equal(['ready', 'failed', 'ready']);
    });

    it('notifies once of a failing model, shows it on the card, and clears it on success', async () => {
      await connect();
      answers({ refused: 401 });
      for (const each of ['a.pdf', 'b.pdf', 'c.pdf']) await put(each, INVOICE);
      await later();
      expect((await reported()).sort()).to.deep.equal([
        'integration.failed',
        ...Array<string>(3).fill('object.ready'),
      ]);
      expect(await card()).to.include({ status: 'error' });
      expect((await card()).lastError).to.match(/status 401/);
      answers({ pieces: ['No JSON today.'] });
      await put('d.pdf', INVOICE);
      expect(await card()).to.deep.include({ status: 'ok', lastError: '' });
      answers({ refused: 500 });
      await put('e.pdf', INVOICE);
      await later();
      expect((await reported()).filter((kind) => kind === 'integration.failed')).to.have.length(2);
    });

    it('records nothing for a connection that has changed meanwhile', async () => {
      await connect();
      answers({ refused: 401 });
      let asking = 0;
      meanwhile = async () => {
        if (++asking === 2) await connect({ model: 'better-8b' });
      };
      await put('a.pdf', INVOICE);
      await later();
      expect(asking).to.equal(2);
      expect(await card()).to.deep.include({ status: 'ok' });
      expect(await reported()).to.deep.equal(['object.ready']);
    });

    it("uses the operator's model if the owner has none, and counts it; the owner's model is not counted", async () => {
      await enter({ operatorModel: OPERATOR });
      const id = await put('a.pdf', INVOICE);
      expect(await madeBy(id)).to.equal('house-9b');
      expect(requested[0]?.endpoint).to.deep.equal(OPERATOR.endpoint);
      expect(await used()).to.equal(1);
      await connect();
      const other = await put('b.pdf', INVOICE);
      expect(await madeBy(other)).to.equal('lamp-7b');
      expect(await used()).to.equal(1);
      await put('c.pdf', INVOICE, { isHidden: true });
      expect(await used()).to.equal(1);
    });

    it("is not counted if the operator's model fails, without a notification", async () => {
      await enter({ operatorModel: OPERATOR });
      for (const answer of [
        { refused: 500 },
        { pieces: ['No.'] },
        says({ title: '' }),
      ] as ScriptedAnswer[]) {
        answers(answer);
        const id = await put('a.pdf', INVOICE);
        await later();
        expect(await madeBy(id)).to.equal('builtin');
        expect((await get(id)).object.status).to.equal('ready');
        expect(await used(), JSON.stringify(answer)).to.equal(0);
      }
      expect(new Set(await reported())).to.deep.equal(new Set(['object.ready']));
      expect(await card()).to.include({ status: 'not_configured' });
    });

    it('is counted once per task, whichever worker completes it', async () => {
      await enter({ operatorModel: OPERATOR });
      answers(new UnavailableError('language-model', 'closing'), new Error('a defect'), says());
      const id = await put('a.pdf', INVOICE);
      expect(await used()).to.equal(0);
      await later();
      await later();
      expect(await madeBy(id)).to.equal('house-9b');
      expect(await used()).to.equal(1);
      // A worker that crashes leaves a task that has been counted.
      const dies = new Promise<never>(() => undefined);
      world.model.says = () => dies;
      const other = await add('b.pdf', INVOICE);
      void world.runPendingTasks();
      while ((await used()) !== 2) await new Promise((resolve) => setTimeout(resolve, 5));
      answers(says());
      world.now += 60_000;
      const due = await backend.directory.dueTasks(world.now, 1_000, { only: ['object.enrich'] });
      for (const { id: task } of due)
        if ((await backend.directory.ownerOfTask(task))?.ownerId === world.caller.scope.ownerId)
          await world.core.background.runTask(task);
      expect(await madeBy(other)).to.equal('house-9b');
      expect(await used()).to.equal(2);
    });

    it('is replaced by the built-in one beyond the monthly limit, exactly, under concurrency', async () => {
      const { unlimited } = BUILT_IN_ROLES;
      await enter({
        operatorModel: OPERATOR,
        roles: { ...BUILT_IN_ROLES, unlimited: { ...unlimited!, enrichments: 3 } },
      });
      const ids = [];
      for (let i = 0; i < 6; i++) ids.push(await add(`${i}.pdf`, INVOICE));
      const own = async (kind: string) => {
        const due = await backend.directory.dueTasks(world.now, 10_000, { only: [kind] });
        const mine = [];
        for (const { id } of due)
          if ((await backend.directory.ownerOfTask(id))?.ownerId === world.caller.scope.ownerId)
            mine.push(id);
        return mine;
      };
      for (const task of await own('object.read')) await world.core.background.runTask(task);
      await Promise.all(
        (await own('object.enrich')).map((task) => world.core.background.runTask(task)),
      );
      const models = await Promise.all(ids.map(madeBy));
      expect(models.filter((each) => each === 'house-9b')).to.have.length(3);
      expect(models.filter((each) => each === 'builtin')).to.have.length(3);
      expect(requested).to.have.length(3);
      expect(await used()).to.equal(3);
      for (const id of ids)
        expect((await get(id)).object)
          .to.include({ status: 'ready' })
          .and.have.property('suggestedName')
          .that.is.a('string');
    });
  });

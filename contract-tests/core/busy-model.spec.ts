import { expect } from 'chai';
import type { ScriptedAnswer } from '../../adapters/memory/language-model.ts';
import type { OperatorModel } from '../../core/models/index.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const TEXT = 'Lumen Optics GmbH\nINVOICE\nInvoice date: 12 March 2024\nAmount due $40.00\n';
const REPLY = {
  title: 'Lenses for the workshop',
  description: 'A bill for lenses.',
  summary: 'Lumen Optics bills for lenses.',
  keywords: ['lenses'],
  doc_type: 'letter',
  language: 'en',
  entities: {},
};
const ANSWER: ScriptedAnswer = { pieces: [JSON.stringify(REPLY)] };
const OPERATOR: OperatorModel = {
  endpoint: {
    baseUrl: 'http://house.test/v1',
    model: 'house-9b',
    key: null,
    temperature: null,
    chosenBy: 'operator',
  },
  contextTokens: 8_192,
};
const ALL = { unreadOnly: false, limit: 200, offset: 0 };
const HOUR = 3_600_000;

for (const [name, open] of backends)
  describe(`${name}: a busy model`, () => {
    let backend: Backend;
    let world: CoreFixture;
    /** When the model was called. */
    let calls: number[];
    before(async () => (backend = await open()));
    after(() => backend.close());
    beforeEach(() => enter());

    const enter = async (over: Parameters<typeof openCoreFixture>[2] = {}) => {
      world = await openCoreFixture(backend, `busy-${name}-${process.pid}-${Math.random()}`, over);
    };
    const answers = (answer: ScriptedAnswer) => {
      calls = [];
      world.model.says = () => {
        calls.push(world.now);
        return answer;
      };
    };
    const connect = async () => {
      answers({ pieces: ['ready'] });
      const config = { base_url: 'http://models.test/v1', model: 'lamp-7b' };
      await world.core.integrations.connectModel(world.caller, { config });
    };
    const put = async (filename: string, over: object = {}): Promise<string> => {
      const file = await world.file(filename, TEXT);
      const [added] = await world.core.objects.addFiles(world.caller, [file], over);
      await world.runPendingTasks();
      return added?.object.id ?? '';
    };
    const get = (id: string) => world.core.objects.getObject(world.caller, id);
    const madeBy = async (id: string) => (await get(id)).enrichment?.model;
    const waiting = () => world.core.integrations.countWaitingDocuments(world.caller);
    const card = () => world.core.integrations.getIntegration(world.caller, 'llm');
    const later = async (ms: number) => {
      world.now += ms;
      // The task that ends a pause makes another due.
      for (let i = 0; i < 3; i++) {
        await world.core.background.offerDueTasks();
        await world.runPendingTasks();
      }
    };
    const reported = async () =>
      (await world.core.notifications.listNotifications(world.caller, ALL)).items.map(
        ({ kind }) => kind,
      );
    const edit = (id: string, change: object) =>
      world.core.objects.editObject(world.caller, id, change);

    it('leaves documents with built-in findings, and one of them at a time tries it', async () => {
      await connect();
      answers({ refused: 429 });
      const ids = [await put('a.txt'), await put('b.txt'), await put('c.txt')];
      for (const id of ids) {
        const { object, enrichment } = await get(id);
        expect(object).to.include({ status: 'ready', docType: 'invoice' });
        expect(object.suggestedName).to.match(/Invoice/);
        expect(enrichment).to.include({ model: 'builtin' });
      }
      expect(calls).to.have.length(1);
      expect(await waiting()).to.equal(3);
      await later(1_000);
      expect(calls).to.have.length(1);
      await later(10_000);
      expect(calls).to.have.length(2);
      answers(ANSWER);
      await later(30_000);
      expect(calls).to.have.length(3);
      for (const id of ids) {
        expect(await madeBy(id)).to.equal('lamp-7b');
        expect((await get(id)).object.suggestedName).to.match(/Letter|Lenses/);
      }
      expect(await waiting()).to.equal(0);
      expect(new Set(await reported())).to.deep.equal(new Set(['object.ready']));
      expect(await reported()).to.have.length(3);
      expect(await card()).to.include({ status: 'ok' });
    });

    it('is tried after the time it has named, then in growing pauses of hours at most', async () => {
      await connect();
      answers({ refused: 503, retryAfter: 120 });
      await put('a.txt');
      await later(119_000);
      expect(calls).to.have.length(1);
      await later(30_000);
      expect(calls).to.have.length(2);
      answers({ refused: 429 });
      for (let i = 0; i < 3 * 24 * 4; i++) await later(HOUR / 4);
      const pauses = calls.slice(1).map((at, i) => at - (calls[i] ?? 0));
      expect(Math.max(...pauses)).to.be.within(4 * HOUR, 5 * HOUR);
      expect(pauses.slice(-4).every((pause) => pause >= 4 * HOUR)).to.equal(true);
      expect(await waiting()).to.equal(1);
      // The card says so, and the owner is notified once.
      expect(await card()).to.include({ status: 'error' });
      expect((await reported()).filter((kind) => kind === 'integration.failed')).to.have.length(1);
    });

    it('is not waited for longer than a week', async () => {
      await connect();
      answers({ refused: 429 });
      const id = await put('a.txt');
      for (let hour = 0; hour < 7 * 24 + 12; hour++) await later(HOUR);
      expect(await waiting()).to.equal(0);
      expect(await madeBy(id)).to.equal('builtin');
      expect(await card()).to.include({ status: 'error' });
      answers(ANSWER);
      await later(24 * HOUR);
      expect(calls).to.deep.equal([]);
    });

    it('does not replace what the owner has changed meanwhile', async () => {
      await connect();
      answers({ refused: 429, retryAfter: 60 });
      const [named, dismissed, corrected] = [
        await put('a.txt'),
        await put('b.txt'),
        await put('c.txt'),
      ] as [string, string, string];
      await edit(named, { filename: 'of the owner.txt' });
      await world.core.objects.resolveSuggestion(world.caller, dismissed, false);
      await world.core.processing.correctText(world.caller, corrected, {
        text: 'Nothing but lamps.',
        baseVersion: 1,
      });
      await world.runPendingTasks();
      expect(await waiting()).to.equal(3);
      const before = (await get(dismissed)).object.updatedAt;
      await later(30_000);
      expect((await get(dismissed)).object.updatedAt).to.equal(before);
      answers(ANSWER);
      await later(90_000);
      for (const id of [named, dismissed, corrected]) expect(await madeBy(id)).to.equal('lamp-7b');
      expect((await get(named)).object).to.include({
        filename: 'of the owner.txt',
        suggestedName: null,
      });
      expect((await get(dismissed)).object).to.include({ suggestedName: null });
    });

    it('renames in the mode auto, first by the built-in findings and then by its own', async () => {
      await connect();
      await world.core.settings.putSettings(world.caller, { autoRenameMode: 'auto' });
      answers({ refused: 429 });
      const id = await put('scan.txt');
      const { filename } = (await get(id)).object;
      expect(filename).to.match(/Invoice/);
      const { updatedAt } = (await get(id)).object;
      await later(10_000);
      expect((await get(id)).object).to.include({ filename, updatedAt });
      answers(ANSWER);
      await later(60_000);
      expect((await get(id)).object.filename).to.match(/Letter|Lenses/);
    });

    it('gets nothing that is hidden meanwhile, which is not counted either', async () => {
      await connect();
      answers({ refused: 429, retryAfter: 60 });
      const hidden = await put('a.txt');
      const shown = await put('b.txt');
      const trashed = await put('c.txt');
      await put('d.txt', { isHidden: true });
      expect(await waiting()).to.equal(3);
      await edit(hidden, { isHidden: true });
      expect(await waiting()).to.equal(2);
      await world.core.objects.deleteObject(world.caller, trashed, false);
      expect(await waiting()).to.equal(1);
      answers(ANSWER);
      await later(90_000);
      expect(calls).to.have.length(1);
      expect(await madeBy(shown)).to.equal('lamp-7b');
      expect(await waiting()).to.equal(0);
    });

    it('is tried by another document if the next one is deleted or its worker ends', async () => {
      await connect();
      answers({ refused: 429, retryAfter: 60 });
      const first = await put('a.txt');
      const second = await put('b.txt');
      world.now += 90_000;
      // Chooses the first, whose worker then ends before it begins.
      await world.core.background.offerDueTasks();
      const [resume] = world.takeQueuedNudges();
      await world.core.background.runTask(resume?.taskId ?? '');
      world.takeQueuedNudges();
      await world.core.objects.deleteObject(world.caller, first, false);
      await world.core.objects.deleteObject(world.caller, first, true);
      answers(ANSWER);
      await later(HOUR);
      expect(await madeBy(second)).to.equal('lamp-7b');
    });

    it('of the operator is not counted while it refuses', async () => {
      await enter({ operatorModel: OPERATOR });
      answers({ refused: 429 });
      const used = async () =>
        (await world.core.usage.usageOf(world.caller)).items.find(
          ({ metric }) => metric === 'enrichments',
        )?.used;
      const ids = [await put('a.txt'), await put('b.txt')];
      expect([await used(), await waiting()]).to.deep.equal([0, 2]);
      await later(10_000);
      expect(await used()).to.equal(0);
      answers(ANSWER);
      await later(30_000);
      for (const id of ids) expect(await madeBy(id)).to.equal('house-9b');
      expect(await used()).to.equal(2);
      expect(await card()).to.include({ status: 'not_configured' });
    });

    it('is tried at once after a check that succeeds, and not at all once it is disconnected', async () => {
      await connect();
      answers({ refused: 429, retryAfter: 3_600 });
      const id = await put('a.txt');
      answers(ANSWER);
      await world.core.integrations.checkIntegration(world.caller, 'llm');
      await later(0);
      expect(await madeBy(id)).to.equal('lamp-7b');
      answers({ refused: 429, retryAfter: 3_600 });
      const other = await put('b.txt');
      await world.core.integrations.disconnect(world.caller, 'llm');
      answers(ANSWER);
      await later(0);
      expect(await waiting()).to.equal(0);
      expect(await madeBy(other)).to.equal('builtin');
      expect(calls).to.deep.equal([]);
    });
  });

import { setImmediate as tick } from 'node:timers/promises';
import { expect } from 'chai';
import { MAX_RUNS, RUN_RETENTION_MS } from '../../core/imports/follow.ts';
import type { Caller } from '../../core/shared/caller.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { Imported } from '../../core/transfer/index.ts';
import type { ImportRun } from '../../ports/import-runs.ts';
import type { Timer } from '../../ports/runtime.ts';
import { backends, type Backend } from '../backends.ts';
import { newId } from '../samples.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';
import { exported, imported } from './transfer-fixture.ts';

const open = backends[0]?.[1];
const LEASE_MS = 30_000;

describe('the runs of imports', () => {
  let backend: Backend;
  let world: CoreFixture;
  let archive: Buffer;
  const waits = new Set<() => void>();
  /** Waits end with the next event-loop tick. */
  const timer: Timer = {
    wait: async (_ms, until) => {
      await Promise.race([new Promise<void>((resolve) => waits.add(resolve)), until]);
    },
  };
  const beat = () => {
    for (const each of waits) each();
    waits.clear();
  };
  const another = async (): Promise<CoreFixture> => {
    const next = await openCoreFixture(backend, undefined, { timer });
    next.now = 1e12;
    return next;
  };
  const note = async (at: CoreFixture, content: string, more: object = {}): Promise<string> => {
    const { object } = await at.core.objects.addNote(at.caller, { content, ...more });
    await at.runPendingTasks();
    return object.id;
  };
  before(async () => {
    backend = await open!();
    world = await another();
    await note(world, 'plain words');
    await note(world, 'other words');
    const veiled = await note(world, 'veiled words', { isHidden: true });
    await world.core.library.createTheme(world.caller, { name: 'Veiled', isHidden: true });
    const { core, caller } = world;
    await core.conversations.ask(caller, { question: 'plain?' });
    const { session } = await core.conversations.createChat(caller, { title: 'veiled' });
    await core.conversations.addTurn(caller, session.id, {
      content: 'veiled?',
      attachments: [veiled],
    });
    archive = await exported(world, caller);
  });
  after(() => backend.close());

  const list = ({ core, caller }: CoreFixture, as: Caller = caller) => core.imports.listImports(as);
  const only = async (at: CoreFixture): Promise<ImportRun> => {
    const runs = await list(at);
    expect(runs).to.have.length(1);
    return runs[0]!;
  };
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      (error: unknown) => (error as DomainError).code,
    );
  /** Waits for a state that a run reaches in the background. */
  const eventually = async (at: CoreFixture, holds: (run: ImportRun) => boolean) => {
    for (let i = 0; i < 10_000; i++) {
      beat();
      await tick();
      const [run] = await list(at);
      if (run && holds(run)) return run;
    }
    throw new Error('It did not happen.');
  };
  /** Bytes of which the second half arrives later, or not. */
  const inHalves = () => {
    const gate = Promise.withResolvers<void>();
    const half = archive.length >> 1;
    async function* bytes() {
      yield archive.subarray(0, half);
      await gate.promise;
      yield archive.subarray(half);
    }
    return { bytes: bytes(), half, gate };
  };
  const receive = ({ core, caller }: CoreFixture, bytes: AsyncIterable<Uint8Array>, key = 'k') =>
    core.transfer.receiveArchive(caller, {
      filename: 'export.zip',
      bytes,
      size: archive.length,
      key: `POST /v1/import ${key}`,
    });

  it('report the bytes that arrived, then the result, which outlives the request', async () => {
    const target = await another();
    const { bytes, half, gate } = inHalves();
    const received = receive(target, bytes);
    const arriving = await eventually(target, ({ done }) => done > 0);
    expect(arriving).to.deep.include({
      kind: 'workspace',
      filename: 'export.zip',
      state: 'receiving',
      done: half,
      total: archive.length,
    });
    expect(await codeOf(target.core.imports.dismissImport(target.caller, arriving.id))).to.equal(
      'still_running',
    );
    gate.resolve();
    const result = await target.core.transfer.importArchive(target.caller, await received);
    const run = await only(target);
    expect(run).to.deep.include({ id: arriving.id, state: 'done', done: 3, total: 3 });
    expect(run.report).to.deep.equal(result);
    await target.core.imports.dismissImport(target.caller, run.id);
    expect(await list(target)).to.deep.equal([]);
    expect(await codeOf(target.core.imports.getImport(target.caller, run.id))).to.equal(
      'not_found',
    );
  });

  it('do not exist for a request without a key', async () => {
    const target = await another();
    await imported(target, target.caller, archive);
    expect(await list(target)).to.deep.equal([]);
  });

  it('are interrupted by the end of the connection, and nothing is stored', async () => {
    const target = await another();
    const { bytes, gate } = inHalves();
    const received = receive(target, bytes);
    gate.reject(new Error('aborted'));
    await received.catch(() => undefined);
    const cut = await only(target);
    expect(cut).to.deep.include({ state: 'interrupted', done: 0, total: null, code: null });
    // The same request again replaces it.
    await imported(target, target.caller, archive, 'POST /v1/import k');
    expect((await only(target)).id).not.to.equal(cut.id);
    expect((await only(target)).state).to.equal('done');
  });

  it('are interrupted if the file arrived but the request was rejected', async () => {
    const target = await another();
    const { bytes, gate } = inHalves();
    gate.resolve();
    const file = await receive(target, bytes);
    await target.core.transfer.discardArchives(target.caller, [file]);
    expect(await only(target)).to.deep.include({ state: 'interrupted', done: 0, total: null });
  });

  it('fail with the code of the error', async () => {
    const target = await another();
    const sent = imported(target, target.caller, Buffer.from('x'), 'POST /v1/import k');
    expect(await codeOf(sent)).to.equal('bad_archive');
    expect(await only(target)).to.deep.include({ state: 'failed', code: 'bad_archive', done: 0 });
  });

  it('count as interrupted once the process has shown no sign of life', async () => {
    const target = await another();
    const { bytes } = inHalves();
    // It never ends, as in a process that died.
    receive(target, bytes).catch(() => undefined);
    await eventually(target, ({ done }) => done > 0);
    target.now += LEASE_MS;
    expect((await only(target)).state).to.equal('receiving');
    target.now += 1;
    expect(await only(target)).to.deep.include({ state: 'interrupted', done: 0, total: null });
  });

  it('say how many objects were stored before the process died', async () => {
    const target = await another();
    await imported(target, target.caller, archive, 'POST /v1/import k');
    const run = await only(target);
    await backend.uow.write(target.caller.scope, ({ importRuns }) =>
      importRuns.save({ ...run, state: 'running', done: 2, report: null }),
    );
    target.now += LEASE_MS + 1;
    expect(await only(target)).to.deep.include({ state: 'interrupted', done: 2, total: 3 });
  });

  it('renew their lease while nothing else happens', async () => {
    const target = await another();
    const { bytes, gate } = inHalves();
    const received = receive(target, bytes);
    const { leaseUntil } = await eventually(target, ({ done }) => done > 0);
    for (let i = 0; i < 6; i++) {
      target.now += LEASE_MS / 2;
      const { now } = target;
      const run = await eventually(target, (each) => each.leaseUntil > now + LEASE_MS / 2);
      expect(run.state).to.equal('receiving');
      expect(run.leaseUntil).to.be.above(leaseUntil);
    }
    gate.resolve();
    await target.core.transfer.importArchive(target.caller, await received);
  });

  it('are not changed by a repeated request', async () => {
    const target = await another();
    await imported(target, target.caller, archive, 'POST /v1/import k');
    const before = await only(target);
    target.now += 1_000;
    await imported(target, target.caller, Buffer.from('x'), 'POST /v1/import k').catch(() => 0);
    expect(await only(target)).to.deep.equal(before);
  });

  it('are remembered up to a number and an age', async () => {
    const target = await another();
    const send = (i: number) =>
      imported(target, target.caller, Buffer.from('x'), `POST /v1/import ${i}`).catch(() => 0);
    for (let i = 0; i < MAX_RUNS + 3; i++) {
      target.now += 1_000;
      await send(i);
    }
    const keys = (await list(target)).map(({ key }) => key.split(' ').at(-1));
    expect(keys).to.have.length(MAX_RUNS);
    expect([keys[0], keys.at(-1)]).to.deep.equal([String(MAX_RUNS + 2), '3']);
    target.now += RUN_RETENTION_MS - 1_000;
    expect(await list(target)).to.have.length(2);
    await send(99);
    const stored = await backend.uow.read(target.caller.scope, ({ importRuns }) =>
      importRuns.newest(100),
    );
    expect(stored).to.have.length(3);
  });

  it('report nothing of hidden records that came through a locked zone', async () => {
    const target = await another();
    const { token } = await target.core.hiddenZone.setPin(target.caller, { pin: '1234' });
    const reply = await imported(target, target.caller, archive, 'POST /v1/import k');
    expect(reply.tallies).to.deep.include({
      objects: { created: 3, unchanged: 0, merged: 0 },
      themes: { created: 1, unchanged: 0, merged: 0 },
      chats: { created: 2, unchanged: 0, merged: 0 },
    });
    for (const caller of [target.caller, { ...target.caller, hiddenToken: token }]) {
      const [run] = await list(target, caller);
      expect(run).to.deep.include({ state: 'done', done: 2, total: 2 });
      const report = run!.report as Imported;
      expect(report.tallies).to.deep.include({
        objects: { created: 2, unchanged: 0, merged: 0 },
        themes: { created: 0, unchanged: 0, merged: 0 },
        chats: { created: 1, unchanged: 0, merged: 0 },
      });
      expect(JSON.stringify(report)).not.to.include('eiled');
    }
  });

  it('report the same through a locked zone whether or not hidden records exist', async () => {
    const reports: unknown[] = [];
    for (const there of [false, true]) {
      const target = await another();
      if (there) await imported(target, target.caller, archive);
      const lists = await target.core.objects.listObjects(
        target.caller,
        { includeHidden: true },
        { limit: 9, offset: 0 },
      );
      for (const { object } of lists.items)
        if (!object.isHidden)
          await target.core.objects.editObject(target.caller, object.id, { isHidden: true });
      await target.core.hiddenZone.setPin(target.caller, { pin: '1234' });
      await imported(target, target.caller, archive, 'POST /v1/import k');
      const { id: _, createdAt: __, updatedAt: ___, leaseUntil: ____, ...run } = await only(target);
      reports.push(run);
    }
    expect(reports[1]).to.deep.equal(reports[0]);
  });

  it('are concealed while the zone is locked if they saw hidden records', async () => {
    const target = await another();
    const { core, caller } = target;
    await imported(target, caller, archive, 'POST /v1/import unset');
    const { token } = await core.hiddenZone.setPin(caller, { pin: '1234' });
    const unlocked = { ...caller, hiddenToken: token };
    target.now += 1_000;
    await imported(target, unlocked, archive, 'POST /v1/import open');
    expect(await list(target)).to.deep.equal([]);
    const runs = await list(target, unlocked);
    expect(runs.map(({ done, state }) => [done, state])).to.deep.equal([
      [3, 'done'],
      [3, 'done'],
    ]);
    for (const { id } of runs) {
      expect(await codeOf(core.imports.getImport(caller, id))).to.equal('not_found');
      expect(await codeOf(core.imports.dismissImport(caller, id))).to.equal('not_found');
      expect((await core.imports.getImport(unlocked, id)).report).not.to.equal(null);
    }
    expect(await codeOf(core.imports.getImport(caller, newId()))).to.equal('not_found');
  });

  it('become concealed if the zone is unlocked only while the file arrives', async () => {
    const target = await another();
    const { core, caller } = target;
    const { token } = await core.hiddenZone.setPin(caller, { pin: '1234' });
    const { bytes, gate } = inHalves();
    gate.resolve();
    const file = await receive(target, bytes);
    expect((await only(target)).state).to.equal('receiving');
    await core.transfer.importArchive({ ...caller, hiddenToken: token }, file);
    expect(await list(target)).to.deep.equal([]);
  });

  it('of calendars count events, and are shown while the zone is locked', async () => {
    const target = await another();
    const { core, caller } = target;
    await core.hiddenZone.setPin(caller, { pin: '1234' });
    const events = ['UID:1\r\nDTSTART:20260101T090000Z', 'UID:2\r\nDTSTART:20269901T090000Z'].map(
      (lines) => `BEGIN:VEVENT\r\n${lines}\r\nSUMMARY:s\r\nEND:VEVENT\r\n`,
    );
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${events.join('')}END:VCALENDAR\r\n`;
    const keyed = (key: string): Caller => ({
      ...caller,
      receipt: { key: `POST /v1/calendar/import ${key}`, fingerprint: 'f', answerTo: () => '' },
    });
    const result = await core.calendar.importCalendar(keyed('1'), { text, filename: 'a.ics' });
    const run = await only(target);
    expect(run).to.deep.include({ kind: 'calendar', filename: 'a.ics', state: 'done' });
    expect([run.done, run.total]).to.deep.equal([1, 1]);
    expect(run.report).to.deep.equal(result);
    target.now += 1_000;
    await codeOf(core.calendar.importCalendar(keyed('2'), { text: 'prose', filename: 'b.ics' }));
    const [failed] = await list(target);
    expect(failed).to.deep.include({ filename: 'b.ics', state: 'failed', code: 'not_a_calendar' });
    await core.calendar.importCalendar(caller, { text, filename: 'c.ics' });
    expect(await list(target)).to.have.length(2);
  });
});

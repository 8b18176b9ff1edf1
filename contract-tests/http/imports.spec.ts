import { expect } from 'chai';
import { backends } from '../backends.ts';
import { openCoreFixture } from '../core/core-fixture.ts';
import { exported } from '../core/transfer-fixture.ts';
import { writeAsOwner } from './bound-token.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const NOTES = 240;
const ATTEMPTS = 8;
const open = backends[0]?.[1];

/** An archive whose import takes several batches. */
async function manyNotes(): Promise<Buffer<ArrayBuffer>> {
  const backend = await open!();
  try {
    const world = await openCoreFixture(backend);
    for (let i = 0; i < NOTES; i++) {
      const content = `tide ${i} `.repeat(300);
      await world.core.objects.addNote(world.caller, { content, title: `Tide ${i}` });
    }
    await world.runPendingTasks();
    await world.core.objects.addNote(world.caller, { content: 'veiled', isHidden: true });
    await world.runPendingTasks();
    return Buffer.from(await exported(world, world.caller));
  } finally {
    await backend.close();
  }
}

for (const profile of profiles)
  describe(`${profile}: the runs of imports`, function () {
    this.timeout(120_000);
    let service: Service;
    let archive: Buffer<ArrayBuffer>;
    before(async () => {
      service = await startService(profile);
      archive = await manyNotes();
    });
    after(() => service.dispose());

    interface As {
      readonly token: string;
      readonly hidden?: string;
    }
    const get = async ({ token, hidden }: As, id = ''): Promise<Answer> =>
      service.call('GET', `/v1/imports${id && `/${id}`}`, {
        token,
        headers: hidden === undefined ? {} : { 'x-hidden-token': hidden },
      });
    const runs = async (as: As): Promise<Answer['json'][]> => (await get(as)).json.items;
    const form = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      const data = new FormData();
      data.append('file', new Blob([bytes]), name);
      return data;
    };
    const send = (as: As, key: string, bytes: Uint8Array<ArrayBuffer> = archive) =>
      service.call('POST', '/v1/import', {
        token: as.token,
        raw: form('tides.zip', bytes),
        headers: {
          'idempotency-key': key,
          ...(as.hidden !== undefined && { 'x-hidden-token': as.hidden }),
        },
      });
    const total = async ({ token }: As): Promise<number> =>
      (await service.call('GET', '/v1/objects?limit=1&include_hidden=1', { token })).json.total;

    /** Sends half of the archive, and the rest once `rest` resolves. */
    const sendHalf = ({ token }: As, key: string, signal?: AbortSignal) => {
      const rest = Promise.withResolvers<void>();
      const half = archive.length >> 1;
      const body = new ReadableStream<Uint8Array>({
        start: async (controller) => {
          controller.enqueue(archive.subarray(0, half));
          await rest.promise;
          controller.enqueue(archive.subarray(half));
          controller.close();
        },
      });
      const response = fetch(`${service.base}/v1/import`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/zip',
          'idempotency-key': key,
        },
        body,
        duplex: 'half',
        ...(signal && { signal }),
      });
      return { response, half, rest };
    };

    it('show the bytes that arrived to every client, then the result', async () => {
      const owner = await service.newOwner();
      const { response, half, rest } = sendHalf(owner, 'slowly');
      const [run] = await eventually(
        () => runs(owner),
        ([first]) => first?.done === half,
      );
      expect(run).to.include({ state: 'receiving', kind: 'workspace', key: 'slowly', code: null });
      const early = await service.call('DELETE', `/v1/imports/${run.import_id}`, owner);
      expect([early.status, early.json.code]).to.deep.equal([409, 'still_running']);
      rest.resolve();
      const result = await (await response).json();
      const { json } = await get(owner, run.import_id);
      expect(json).to.include({ state: 'done', done: NOTES + 1, total: NOTES + 1, calendar: null });
      expect(json.workspace).to.deep.equal(result);
      expect((await runs(owner)).map(({ state }) => state)).to.deep.equal(['done']);
      const gone = await service.call('DELETE', `/v1/imports/${run.import_id}`, owner);
      expect(gone.json).to.deep.equal({ deleted: true });
      expect(await runs(owner)).to.deep.equal([]);
    });

    it('are interrupted when the client leaves before the whole file was sent, and nothing changes', async () => {
      const owner = await service.newOwner();
      const leave = new AbortController();
      const { response, half } = sendHalf(owner, 'cut', leave.signal);
      const left = response.catch(() => 'left');
      await eventually(
        () => runs(owner),
        ([first]) => first?.done === half,
      );
      leave.abort();
      expect(await left).to.equal('left');
      const [run] = await eventually(
        () => runs(owner),
        ([first]) => first.state === 'interrupted',
      );
      expect(run).to.include({ state: 'interrupted', done: 0, total: null, code: null });
      expect(await total(owner)).to.equal(0);
    });

    it('go on when the client leaves afterwards', async () => {
      const owner = await service.newOwner();
      const leave = new AbortController();
      const { response, rest } = sendHalf(owner, 'left', leave.signal);
      rest.resolve();
      await eventually(
        () => runs(owner),
        ([first]) => first !== undefined && first.state !== 'receiving',
      );
      leave.abort();
      await response.catch(() => undefined);
      await eventually(
        () => runs(owner),
        ([first]) => first.state === 'done',
      );
      expect(await total(owner)).to.equal(NOTES + 1);
    });

    it('say exactly how much was stored when the process was killed, and a repeat completes it', async () => {
      for (let attempt = 1; ; attempt++) {
        const owner = await service.newOwner();
        const sent = send(owner, 'killed').catch(() => undefined);
        await eventually(
          () => runs(owner),
          ([first]) => first?.done > 0 && first.state !== 'receiving' && first.state !== 'checking',
        );
        service = await service.restart('SIGKILL');
        await sent;
        const [run] = await runs(owner);
        // It may have ended before it was killed.
        if (run.state === 'done' && attempt < ATTEMPTS) continue;
        expect(run.state).to.equal('running');
        // A lease of half a minute ends.
        await writeAsOwner(service, owner.token, async ({ importRuns, idempotency }) => {
          const stored = (await importRuns.find(run.import_id))!;
          await importRuns.save({ ...stored, leaseUntil: 0 });
          await idempotency.remove(stored.key);
        });
        const [dead] = await runs(owner);
        expect(dead).to.include({ state: 'interrupted', total: NOTES + 1, code: null });
        expect(dead.done).to.be.within(1, NOTES);
        expect(await total(owner)).to.equal(dead.done);
        const again = await send(owner, 'killed');
        expect(again.json.objects, again.text).to.deep.equal({
          created: NOTES + 1 - dead.done,
          unchanged: dead.done,
        });
        expect((await runs(owner)).map(({ state }) => state)).to.deep.equal(['done']);
        return;
      }
    });

    it('fail with the code of the error, also of a request that stores nothing', async () => {
      const owner = await service.newOwner();
      await send(owner, 'bad', Buffer.from('x'));
      const [run] = await runs(owner);
      expect(run).to.include({ state: 'failed', code: 'bad_archive', done: 0, total: null });
      const { json } = await get(owner, run.import_id);
      expect(json).to.include({ workspace: null, calendar: null });
    });

    it('are left out while the zone is locked if it was open, and count nothing hidden if it was locked', async () => {
      const owner = await service.newOwner();
      const pin = await service.call('POST', '/v1/hidden-pin', {
        ...owner,
        body: { pin: '1234' },
      });
      const unlocked = { ...owner, hidden: pin.json.token };
      expect((await send(owner, 'locked')).json.objects.created).to.equal(NOTES + 1);
      const inside = await send(unlocked, 'open');
      expect(inside.status, inside.text).to.equal(200);
      const seen = await runs(owner);
      expect(seen.map(({ key, done }) => [key, done])).to.deep.equal([['locked', NOTES]]);
      const { json } = await get(owner, seen[0].import_id);
      expect(json.workspace.objects).to.deep.equal({ created: NOTES, unchanged: 0 });
      const [concealed, other] = await runs(unlocked);
      expect([concealed.key, other.key]).to.deep.equal(['open', 'locked']);
      for (const method of ['GET', 'DELETE']) {
        const answer = await service.call(method, `/v1/imports/${concealed.import_id}`, owner);
        expect([answer.status, answer.json.code]).to.deep.equal([404, 'not_found']);
      }
      const { workspace } = (await get(unlocked, concealed.import_id)).json;
      expect(workspace).to.deep.equal(inside.json);
    });

    it('of calendars keep their faults by line', async () => {
      const owner = await service.newOwner();
      const text = ['20260101T090000Z', '20269901T090000Z']
        .map((at, i) => `BEGIN:VEVENT\r\nUID:${i}\r\nDTSTART:${at}\r\nSUMMARY:s\r\nEND:VEVENT\r\n`)
        .join('');
      const bytes = Buffer.from(
        `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${text}END:VCALENDAR\r\n`,
      );
      const answer = await service.call('POST', '/v1/calendar/import', {
        token: owner.token,
        raw: form('tides.ics', bytes),
        headers: { 'idempotency-key': 'tides' },
      });
      expect(answer.json.errors).to.have.length(1);
      const [run] = await runs(owner);
      expect(run).to.include({ kind: 'calendar', filename: 'tides.ics', state: 'done', done: 1 });
      const { json } = await get(owner, run.import_id);
      expect(json.calendar).to.deep.equal(answer.json);
    });
  });

import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { NO_PERMIT, type Permit } from '../adapters/http/pipeline/permit.ts';
import { AdmissionController } from '../adapters/http/server/admission.ts';

interface Request {
  readonly response: ServerResponse;
  permit: Permit;
}
const aRequest = (): Request => {
  const created = { destroyed: false, writableFinished: false };
  const response = Object.assign(new EventEmitter(), created) as unknown as ServerResponse;
  return { response, permit: NO_PERMIT };
};
const MAX_STARTS_PER_TICK = 16;
const SATURATION_CONCURRENCY = 8;
const TICK_BUDGET_MS = 50;

describe('admission control', () => {
  let [tick, now, idle] = [1, 0, 0];
  let started: Request[];
  let refused: Request[];
  let soon: (() => void)[];
  let later: (() => void)[];
  let admission: AdmissionController<Request>;
  beforeEach(() => {
    [tick, now, idle] = [1, 0, 0];
    [started, refused, soon, later] = [[], [], [], []];
    admission = of(1_000);
  });
  const of = (maxInFlight: number) =>
    new AdmissionController<Request>(
      { maxInFlight, maxQueueWaitMs: 1_000 },
      (each) => started.push(each),
      (each) => refused.push(each),
      {
        now: () => now,
        idle: () => idle,
        tick: () => tick,
        runAtTickEnd: (run) => soon.push(run),
        runAfter: (run) => later.push(run),
      },
    );
  const come = (count: number): Request[] =>
    Array.from({ length: count }, () => {
      const request = aRequest();
      admission.submit(request);
      return request;
    });
  /** All sockets of this event-loop tick have been read. */
  const allRead = () => {
    for (const run of soon.splice(0)) run();
  };
  const crowd = (count: number): Request[] => {
    const created = come(count);
    allRead();
    return created;
  };
  /** Runs one event-loop tick. Returns the numbers of requests that started and were rejected in it. */
  const turned = (busyMs: number, idleMs = 0) => {
    [tick, now, idle] = [tick + 1, now + busyMs + idleMs, idle + idleMs];
    const before = [started.length, refused.length] as const;
    for (const run of [...soon.splice(0), ...later.splice(0)]) run();
    // Rejected requests are also notified at the end of a tick.
    allRead();
    return [started.length - before[0], refused.length - before[1]];
  };
  const settle = () => {
    for (const each of started) each.permit.release();
  };

  it('starts the requests of one tick together, in order, and schedules no further tick', () => {
    const all = come(MAX_STARTS_PER_TICK);
    expect([started.length, soon.length]).to.deep.equal([0, 1]);
    allRead();
    expect(started).to.deep.equal(all);
    expect([refused.length, soon.length, later.length]).to.deep.equal([0, 0, 0]);
  });

  it('starts the requests of a tick after its sockets have been read, even if others end earlier', () => {
    const [first] = crowd(1) as [Request];
    const rest = come(2);
    first.permit.release();
    expect(started).to.deep.equal([first]);
    allRead();
    expect(started).to.deep.equal([first, ...rest]);
  });

  it('starts queued requests without a timer once capacity is available', () => {
    crowd(SATURATION_CONCURRENCY + 4);
    turned(50);
    const late = crowd(1);
    expect([soon.length, later.length]).to.deep.equal([0, 1]);
    settle();
    settle();
    expect([soon.length, later.length]).to.deep.equal([1, 1]);
    allRead();
    expect(started.at(-1)).to.equal(late[0]);
    const [next] = crowd(1);
    expect(started.at(-1)).to.equal(next);
  });

  it('limits the requests in flight, and releases capacity for each that ends', () => {
    admission = of(3);
    crowd(5);
    expect([started.length, refused.length, admission.inFlight]).to.deep.equal([3, 2, 3]);
    settle();
    settle();
    expect(admission.inFlight).to.equal(0);
    crowd(1);
    expect([started.length, refused.length]).to.deep.equal([4, 2]);
  });

  it('releases capacity when a response is complete, even if the permit was not released', () => {
    admission = of(2);
    const [answered, left] = crowd(2);
    Object.assign(answered!.response, { writableFinished: true }).emit('close');
    expect(admission.inFlight).to.equal(1);
    // Work for a disconnected client still counts.
    left!.response.emit('close');
    expect(admission.inFlight).to.equal(1);
    settle();
    expect(admission.inFlight).to.equal(0);
  });

  it('queues further requests for the next tick, in order, ahead of later ones', () => {
    const first = crowd(MAX_STARTS_PER_TICK + 2);
    const [late] = crowd(1);
    expect(started.length).to.equal(MAX_STARTS_PER_TICK);
    // In the same tick there is no capacity yet.
    allRead();
    expect(started.length).to.equal(MAX_STARTS_PER_TICK);
    expect(turned(1)).to.deep.equal([3, 0]);
    expect(started).to.deep.equal([...first, late]);
    expect(soon.length).to.equal(0);
  });

  it('starts nothing more in a long tick, but at least one request in each', () => {
    crowd(2);
    now += TICK_BUDGET_MS;
    crowd(3);
    expect(started.length).to.equal(2);
    come(1);
    expect(turned(1)).to.deep.equal([4, 0]);
    turned(1);
    crowd(1);
    now += 3 * TICK_BUDGET_MS;
    crowd(1);
    expect(started.length).to.equal(7);
    // Regardless of the length of the previous tick.
    expect(turned(3 * TICK_BUDGET_MS)).to.deep.equal([1, 0]);
  });

  it('starts no more than the saturation level while the loop has no idle time, then one for each that ends', () => {
    crowd(SATURATION_CONCURRENCY + 4);
    turned(50);
    const late = crowd(3);
    expect(started.length).to.equal(SATURATION_CONCURRENCY + 4);
    // Idle time is not sampled continuously: sampling would use it up.
    expect([soon.length, later.length]).to.deep.equal([0, 1]);
    for (const each of started.slice(0, 4)) each.permit.release();
    expect(started.length).to.equal(SATURATION_CONCURRENCY + 4);
    started[4]?.permit.release();
    allRead();
    expect(started.at(-1)).to.equal(late[0]);
    started[5]?.permit.suspend();
    allRead();
    expect(started.at(-1)).to.equal(late[1]);
    expect(turned(50)).to.deep.equal([0, 0]);
    expect(turned(10, 20)).to.deep.equal([1, 0]);
    expect(admission.inFlight).to.equal(SATURATION_CONCURRENCY + 1);
  });

  it('continues with other requests if a started one ends immediately', () => {
    const ending = new AdmissionController<Request>(
      { maxInFlight: 1_000, maxQueueWaitMs: 1_000 },
      (each) => {
        started.push(each);
        each.permit.release();
      },
      () => undefined,
      {
        ...{ now: () => now, idle: () => idle, tick: () => tick, runAfter: () => undefined },
        runAtTickEnd: (run) => soon.push(run),
      },
    );
    const all = Array.from({ length: 3 * MAX_STARTS_PER_TICK }, aRequest);
    for (const each of all) ending.submit(each);
    allRead();
    turned(1);
    turned(1);
    expect(started).to.deep.equal(all);
    expect(ending.inFlight).to.equal(0);
  });

  it('sheds expired and disconnected requests before it starts others', () => {
    const all = crowd(MAX_STARTS_PER_TICK + 40);
    for (const each of all.slice(-35)) Object.assign(each.response, { destroyed: true });
    expect(turned(1)).to.deep.equal([5, 35]);
    expect(refused).to.deep.equal(all.slice(-35));
    [started, refused] = [[], []];
    crowd(200);
    expect(turned(1_001)).to.deep.equal([0, 200 - started.length]);
  });

  it('starts one expired request if none is in flight, and sheds the others', () => {
    const [first] = come(3);
    expect(turned(1_001)).to.deep.equal([1, 2]);
    expect(started).to.deep.equal([first]);
    come(2);
    expect(turned(1_001)).to.deep.equal([0, 2]);
  });

  it('sheds a few requests per tick, and more if that takes a small share of it', () => {
    const costing = new AdmissionController<Request>(
      { maxInFlight: 1, maxQueueWaitMs: 1_000 },
      (each) => started.push(each),
      (each) => {
        refused.push(each);
        now += 1;
      },
      {
        ...{ now: () => now, idle: () => idle, tick: () => tick },
        ...{ runAtTickEnd: (run) => soon.push(run), runAfter: (run) => later.push(run) },
      },
    );
    const all = Array.from({ length: 100 }, aRequest);
    for (const each of all) costing.submit(each);
    const reported = (ms: number) => {
      const before = refused.length;
      [tick, now] = [tick + 1, now + ms];
      for (const run of soon.splice(0)) run();
      return refused.length - before;
    };
    expect([reported(1), reported(1), reported(40), reported(10_000)]).to.deep.equal([
      8, 8, 12, 13,
    ]);
    // In order of arrival, each once.
    while (soon.length > 0) reported(1);
    expect(refused).to.deep.equal(all.slice(1));
    expect(started).to.deep.equal([all[0]]);
  });

  it('does not count suspended requests, and resumes them once', () => {
    const [one] = crowd(1) as [Request];
    const back = one.permit.suspend();
    expect(admission.inFlight).to.equal(0);
    // Already suspended: a second call has nothing to resume.
    one.permit.suspend()();
    expect(admission.inFlight).to.equal(0);
    back();
    back();
    expect(admission.inFlight).to.equal(1);
    one.permit.release();
    expect(admission.inFlight).to.equal(0);
  });

  it('does not resume a request that has ended or was never admitted', () => {
    admission = of(1);
    const [one, other] = crowd(2) as [Request, Request];
    const back = one.permit.suspend();
    one.permit.release();
    back();
    other.permit.suspend()();
    other.permit.release();
    expect(admission.inFlight).to.equal(0);
  });
});

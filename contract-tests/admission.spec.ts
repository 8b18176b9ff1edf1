import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Workload } from '../adapters/http/server/admission.ts';

const request = {} as IncomingMessage;
const aResponse = (): ServerResponse => {
  const made = { destroyed: false, writableFinished: false };
  return Object.assign(new EventEmitter(), made) as unknown as ServerResponse;
};
const MOST_A_TURN = 16;
const ENOUGH = 8;
const TURN_MS = 50;

describe('the workload of a process', () => {
  let [turn, now, idle] = [1, 0, 0];
  let begun: ServerResponse[];
  let refused: ServerResponse[];
  let soon: (() => void)[];
  let later: (() => void)[];
  let workload: Workload;
  beforeEach(() => {
    [turn, now, idle] = [1, 0, 0];
    [begun, refused, soon, later] = [[], [], [], []];
    workload = of(1_000);
  });
  const of = (mostInFlight: number) =>
    new Workload(
      { mostInFlight, mostWaitMs: 1_000 },
      (_request, response) => begun.push(response),
      (_request, response) => refused.push(response),
      {
        now: () => now,
        idle: () => idle,
        turn: () => turn,
        soon: (run) => soon.push(run),
        later: (run) => later.push(run),
      },
    );
  const come = (count: number): ServerResponse[] =>
    Array.from({ length: count }, () => {
      const response = aResponse();
      workload.take(request, response);
      return response;
    });
  /** The sockets of this turn have been read. */
  const allRead = () => {
    for (const run of soon.splice(0)) run();
  };
  const crowd = (count: number): ServerResponse[] => {
    const made = come(count);
    allRead();
    return made;
  };
  /** The loop makes a turn. Answers with how many began and how many were refused in it. */
  const turned = (busyMs: number, idleMs = 0) => {
    [turn, now, idle] = [turn + 1, now + busyMs + idleMs, idle + idleMs];
    const before = [begun.length, refused.length] as const;
    for (const run of [...soon.splice(0), ...later.splice(0)]) run();
    // Who is sent away hears of it at the end of a turn as well.
    allRead();
    return [begun.length - before[0], refused.length - before[1]];
  };
  const settle = () => {
    for (const each of begun) Workload.settle(each);
  };

  it('begins together what comes in one turn, in its order, and asks for no other turn', () => {
    const all = come(MOST_A_TURN);
    expect([begun.length, soon.length]).to.deep.equal([0, 1]);
    allRead();
    expect(begun).to.deep.equal(all);
    expect([refused.length, soon.length, later.length]).to.deep.equal([0, 0, 0]);
  });

  it('begins those of this turn when its sockets have been read, whatever ends before', () => {
    const [first] = crowd(1) as [ServerResponse];
    const rest = come(2);
    Workload.settle(first);
    expect(begun).to.deep.equal([first]);
    allRead();
    expect(begun).to.deep.equal([first, ...rest]);
  });

  it('lets nobody wait for a time of day when there is room again', () => {
    crowd(ENOUGH + 4);
    turned(50);
    const late = crowd(1);
    expect([soon.length, later.length]).to.deep.equal([0, 1]);
    settle();
    settle();
    expect([soon.length, later.length]).to.deep.equal([1, 1]);
    allRead();
    expect(begun.at(-1)).to.equal(late[0]);
    const [next] = crowd(1);
    expect(begun.at(-1)).to.equal(next);
  });

  it('is bound by its number, and has room again for each that is settled', () => {
    workload = of(3);
    crowd(5);
    expect([begun.length, refused.length, workload.inFlight]).to.deep.equal([3, 2, 3]);
    settle();
    settle();
    expect(workload.inFlight).to.equal(0);
    crowd(1);
    expect([begun.length, refused.length]).to.deep.equal([4, 2]);
  });

  it('has room again for what was answered, whoever forgot to say so', () => {
    workload = of(2);
    const [answered, left] = crowd(2);
    Object.assign(answered!, { writableFinished: true }).emit('close');
    expect(workload.inFlight).to.equal(1);
    // What nobody waits for any more is still worked on.
    left!.emit('close');
    expect(workload.inFlight).to.equal(1);
    settle();
    expect(workload.inFlight).to.equal(0);
  });

  it('lets more wait for the next turn, in their order, and whoever comes then behind them', () => {
    const first = crowd(MOST_A_TURN + 2);
    const [late] = crowd(1);
    expect(begun.length).to.equal(MOST_A_TURN);
    // In the same turn there is no room yet.
    allRead();
    expect(begun.length).to.equal(MOST_A_TURN);
    expect(turned(1)).to.deep.equal([3, 0]);
    expect(begun).to.deep.equal([...first, late]);
    expect(soon.length).to.equal(0);
  });

  it('begins nothing more in a turn that has become long, but one in each', () => {
    crowd(2);
    now += TURN_MS;
    crowd(3);
    expect(begun.length).to.equal(2);
    come(1);
    expect(turned(1)).to.deep.equal([4, 0]);
    turned(1);
    crowd(1);
    now += 3 * TURN_MS;
    crowd(1);
    expect(begun.length).to.equal(7);
    // However long the turn before was.
    expect(turned(3 * TURN_MS)).to.deep.equal([1, 0]);
  });

  it('begins no more than enough while the loop has no time to spare, and one for each that ends', () => {
    crowd(ENOUGH + 4);
    turned(50);
    const late = crowd(3);
    expect(begun.length).to.equal(ENOUGH + 4);
    // It is not asked again and again whether there is time: asking would leave none.
    expect([soon.length, later.length]).to.deep.equal([0, 1]);
    for (const each of begun.slice(0, 4)) Workload.settle(each);
    expect(begun.length).to.equal(ENOUGH + 4);
    Workload.settle(begun[4] as ServerResponse);
    allRead();
    expect(begun.at(-1)).to.equal(late[0]);
    Workload.aside(begun[5] as ServerResponse);
    allRead();
    expect(begun.at(-1)).to.equal(late[1]);
    expect(turned(50)).to.deep.equal([0, 0]);
    expect(turned(10, 20)).to.deep.equal([1, 0]);
    expect(workload.inFlight).to.equal(ENOUGH + 1);
  });

  it('goes on with the others when what it begins ends at once', () => {
    const ending = new Workload(
      { mostInFlight: 1_000, mostWaitMs: 1_000 },
      (_request, response) => {
        begun.push(response);
        Workload.settle(response);
      },
      () => undefined,
      {
        ...{ now: () => now, idle: () => idle, turn: () => turn, later: () => undefined },
        soon: (run) => soon.push(run),
      },
    );
    const all = Array.from({ length: 3 * MOST_A_TURN }, aResponse);
    for (const each of all) ending.take(request, each);
    allRead();
    turned(1);
    turned(1);
    expect(begun).to.deep.equal(all);
    expect(ending.inFlight).to.equal(0);
  });

  it('refuses what has waited too long, and those who have gone, before anybody else is begun', () => {
    const all = crowd(MOST_A_TURN + 40);
    for (const each of all.slice(-35)) Object.assign(each, { destroyed: true });
    expect(turned(1)).to.deep.equal([5, 35]);
    expect(refused).to.deep.equal(all.slice(-35));
    [begun, refused] = [[], []];
    crowd(200);
    expect(turned(1_001)).to.deep.equal([0, 200 - begun.length]);
  });

  it('begins one whom everybody waited for too long where nothing else is under way, and sends nobody away for nothing', () => {
    const [first] = come(3);
    expect(turned(1_001)).to.deep.equal([1, 2]);
    expect(begun).to.deep.equal([first]);
    come(2);
    expect(turned(1_001)).to.deep.equal([0, 2]);
  });

  it('sends away a few in a turn, and more where that takes a small part of it', () => {
    const costing = new Workload(
      { mostInFlight: 1, mostWaitMs: 1_000 },
      (_request, response) => begun.push(response),
      (_request, response) => {
        refused.push(response);
        now += 1;
      },
      {
        ...{ now: () => now, idle: () => idle, turn: () => turn },
        ...{ soon: (run) => soon.push(run), later: (run) => later.push(run) },
      },
    );
    const all = Array.from({ length: 100 }, aResponse);
    for (const each of all) costing.take(request, each);
    const told = (ms: number) => {
      const before = refused.length;
      [turn, now] = [turn + 1, now + ms];
      for (const run of soon.splice(0)) run();
      return refused.length - before;
    };
    expect([told(1), told(1), told(40), told(10_000)]).to.deep.equal([8, 8, 12, 13]);
    // In the order they came, each once.
    while (soon.length > 0) told(1);
    expect(refused).to.deep.equal(all.slice(1));
    expect(begun).to.deep.equal([all[0]]);
  });

  it('leaves out who waits for a client, and takes them back once', () => {
    const [one] = crowd(1) as [ServerResponse];
    const back = Workload.aside(one);
    expect(workload.inFlight).to.equal(0);
    // Aside already: whoever asks for it again has nothing to bring back.
    Workload.aside(one)();
    expect(workload.inFlight).to.equal(0);
    back();
    back();
    expect(workload.inFlight).to.equal(1);
    Workload.settle(one);
    expect(workload.inFlight).to.equal(0);
  });

  it('takes nobody back who has come to an end meanwhile, or was never taken', () => {
    workload = of(1);
    const [one, other] = crowd(2) as [ServerResponse, ServerResponse];
    const back = Workload.aside(one);
    Workload.settle(one);
    back();
    Workload.aside(other)();
    Workload.settle(other);
    expect(workload.inFlight).to.equal(0);
  });
});

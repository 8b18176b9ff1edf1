import { expect } from 'chai';
import fc from 'fast-check';
import { eventLoop } from '../../adapters/node/tick-scheduler.ts';
import { createLastUse } from '../../core/identity/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';

const MINUTE = 60_000;

type Write = readonly [kind: 'token' | 'session', id: string, at: number, network: string];

/** A recorder over a unit of work that logs the writes, and fails or waits on request. */
function openRecorder(begin: () => Promise<void> = () => Promise.resolve()) {
  const writes: Write[] = [];
  const scopes: OwnerScope[] = [];
  const failures: unknown[] = [];
  const store = (kind: 'token' | 'session') => ({
    recordUse: async (id: string, at: number, network: string) => {
      writes.push([kind, id, at, network]);
    },
  });
  const uow = {
    write: async (scope: OwnerScope, work: (stores: unknown) => Promise<unknown>) => {
      scopes.push(scope);
      await begin();
      return work({ tokens: store('token'), sessions: store('session') });
    },
  };
  const lastUse = createLastUse({
    uow: uow as unknown as UnitOfWork<'tokens' | 'sessions'>,
    scheduler: eventLoop,
    reportFailure: (_task, error) => failures.push(error),
  });
  return { lastUse, writes, scopes, failures };
}

const callerWith = (
  kind: 'token' | 'session',
  id: string,
  lastUsedAt: number | null,
  ownerId = 'ada',
  address = '192.0.2.7',
): Caller =>
  ({
    scope: { tenantId: 'home', ownerId, folderIds: ['f'] },
    credential: { kind, [kind]: { id, lastUsedAt } },
    client: { address, userAgent: '' },
  }) as unknown as Caller;

describe('the last use of a credential', () => {
  it('is stored to the minute with its network, for the owner and not for the folders of a token', async () => {
    const { lastUse, writes, scopes } = openRecorder();
    lastUse.note(callerWith('token', 't', null), 5 * MINUTE + 59_999);
    lastUse.note(callerWith('session', 's', 0, 'ada', '2001:db8:1:2::3'), 5 * MINUTE);
    await lastUse.flush('ada');
    expect(writes).to.deep.equal([
      ['token', 't', 5 * MINUTE, '192.0.2.0/24'],
      ['session', 's', 5 * MINUTE, '2001:db8:1::/48'],
    ]);
    expect(scopes).to.deep.equal([{ tenantId: 'home', ownerId: 'ada' }]);
  });

  it('is written at most once a minute for each credential, and not again if its row shows it', async () => {
    const use = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__'),
      owner: fc.constantFrom('ada', 'bob', 'constructor'),
      seconds: fc.nat({ max: 90 }),
      isFlushed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(use, { maxLength: 60 }), async (uses) => {
        const { lastUse, writes } = openRecorder();
        const expected: string[] = [];
        const rows = new Map<string, number>();
        let now = 1_000 * MINUTE;
        for (const { id, owner, seconds, isFlushed } of uses) {
          now += seconds * 1_000;
          const key = `${owner} ${id}`;
          const minute = Math.floor(now / MINUTE) * MINUTE;
          lastUse.note(callerWith('token', key, rows.get(key) ?? null, owner), now);
          if (!expected.includes(`${key} ${minute}`)) expected.push(`${key} ${minute}`);
          if (isFlushed) {
            await lastUse.flush(owner);
            rows.set(key, minute);
          }
        }
        await lastUse.flush();
        expect(writes.map(([, id, at]) => `${id} ${at}`)).to.have.members(expected);
      }),
    );
  });

  it('does not delay who notes it: owners are written one after the other, behind the requests', async () => {
    const gate = Promise.withResolvers<void>();
    const { lastUse, writes, scopes } = openRecorder(() => gate.promise);
    for (let i = 0; i < 1_000; i++) lastUse.note(callerWith('token', `t${i}`, null, `o${i}`), 0);
    expect(scopes).to.deep.equal([]);
    await eventLoop.yield();
    await eventLoop.yield();
    expect(scopes.length).to.be.at.most(1);
    gate.resolve();
    await lastUse.flush();
    expect(writes).to.have.length(1_000);
  });

  it('is stored before a flush of its owner resolves, also while other owners wait', async () => {
    const gate = Promise.withResolvers<void>();
    const { lastUse, writes } = openRecorder(() => gate.promise);
    for (const owner of ['ada', 'bob', 'cyd'])
      lastUse.note(callerWith('token', owner, null, owner), 0);
    await eventLoop.yield();
    lastUse.note(callerWith('session', 'late', null, 'ada'), 0);
    const flushed = lastUse.flush('ada').then(() => writes.map(([, id]) => id));
    gate.resolve();
    expect(await flushed).to.include.members(['ada', 'late']);
  });

  it('is given up in an outage, reported, and noted again in the next minute', async () => {
    let isOut = true;
    const { lastUse, writes, failures } = openRecorder(() =>
      isOut ? Promise.reject(new UnavailableError('database', 'away')) : Promise.resolve(),
    );
    lastUse.note(callerWith('token', 't', null), 0);
    await lastUse.flush();
    expect(failures).to.have.length(1);
    isOut = false;
    lastUse.note(callerWith('token', 't', null), MINUTE - 1);
    await lastUse.flush();
    expect(writes).to.deep.equal([]);
    lastUse.note(callerWith('token', 't', null), MINUTE);
    await lastUse.flush();
    expect(writes.map(([, , at]) => at)).to.deep.equal([MINUTE]);
  });
});

import type { AccessExpiry, Directory } from '../../ports/directory.ts';
import type { Clock, Scheduler } from '../../ports/runtime.ts';
import type { OneTimeSecrets, SignInAttempts } from '../../ports/sign-in.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { SESSION_IDLE_MS } from '../identity/index.ts';
import { SECURITY_EVENT_MS } from '../security-events/index.ts';
import { forEachOwner } from '../shared/for-each-owner.ts';

const MAX_WRITES_PER_SWEEP = 2_000;
const EVENTS_PER_WRITE = 500;
const MAX_ATTEMPTS_PER_SWEEP = 10_000;

export interface SweepAccessDeps {
  readonly uow: UnitOfWork<'sessions' | 'securityEvents'>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly directory: Pick<Directory, 'ownersWithExpiredAccess'>;
  readonly oneTimeSecrets: Pick<OneTimeSecrets, 'removeExpired'>;
  readonly signInAttempts: Pick<SignInAttempts, 'removeExpired'>;
}

/**
 * Removes what has expired, of all owners: sessions, security events, one-time secrets, records of failed sign-ins. None of
 * it is accepted or counted any more, so a sweep that ends early leaves the rest to the next one. Returns the number of
 * writes. An owner whose rows cannot be removed does not stop the others; the first error is thrown at the end.
 */
export async function sweepExpiredAccess(
  { uow, clock, scheduler, directory, oneTimeSecrets, signInAttempts }: SweepAccessDeps,
  shouldContinue: () => boolean = () => true,
): Promise<number> {
  const now = clock.now();
  const expiry: AccessExpiry = {
    sessionsBefore: now,
    unusedSince: now - SESSION_IDLE_MS,
    eventsBefore: now - SECURITY_EVENT_MS,
  };
  await oneTimeSecrets.removeExpired(now);
  await signInAttempts.removeExpired(now, MAX_ATTEMPTS_PER_SWEEP);
  let writes = 0;
  await forEachOwner(scheduler, {
    find: (limit) => directory.ownersWithExpiredAccess(expiry, limit),
    shouldContinue: () => shouldContinue() && writes < MAX_WRITES_PER_SWEEP,
    run: async (scope) => {
      writes++;
      await uow.write(scope, async ({ sessions, securityEvents }) => {
        await sessions.removeExpired(expiry.sessionsBefore, expiry.unusedSince);
        await securityEvents.removeBefore(expiry.eventsBefore, EVENTS_PER_WRITE);
      });
    },
  });
  return writes;
}

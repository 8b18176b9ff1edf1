import type { Directory } from '../../ports/directory.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Task } from '../../ports/tasks.ts';
import { notify } from '../notifications/index.ts';
import type { Caller } from '../shared/caller.ts';
import { emptyText } from '../shared/common-errors.ts';
import { newTask, type TaskHandler } from '../tasks/index.ts';
import { newCode, plainCode } from './code.ts';

export const CREDIT_TASK = 'credit-referral';

export interface ReferralDeps {
  readonly uow: UnitOfWork<'referrals' | 'tasks' | 'notifications'>;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export interface Referral {
  readonly code: string;
  /** Number of owners who have applied it. */
  readonly invited: number;
  /** Whether this owner has applied another owner's code. */
  readonly applied: boolean;
}

/** The owner's code, created on first use, and its results. */
export async function getReferral(deps: ReferralDeps, caller: Caller): Promise<Referral> {
  const known = await deps.uow.read(caller.scope, ({ referrals }) => referrals.code());
  if (known === undefined)
    await deps.uow.write(caller.scope, ({ referrals }) =>
      referrals.saveCode(newCode(deps.random.secret(32))),
    );
  return deps.uow.read(caller.scope, async ({ referrals }) => ({
    code: (await referrals.code()) ?? '',
    invited: await referrals.invited(),
    applied: (await referrals.applied()) !== undefined,
  }));
}

/**
 * Applies another owner's code, once. Returns whether that owner is credited: not for an unknown code, the owner's
 * own, or after an earlier application. Ends with `empty_text` for blanks.
 */
export async function applyReferral(
  deps: ReferralDeps,
  caller: Caller,
  code: string,
): Promise<boolean> {
  if (code.trim() === '') throw emptyText();
  const plain = plainCode(code);
  const referrer = plain === '' ? undefined : await deps.directory.ownerOfReferralCode(plain);
  if (!referrer || referrer.ownerId === caller.scope.ownerId) return false;
  const { ownerId: referrerId } = referrer;
  const task = newTask(deps, CREDIT_TASK, referrerId, { name: caller.owner.name });
  const applied = await deps.uow.write(caller.scope, async ({ referrals, tasks }) => {
    const first = await referrals.apply({ referrerId, appliedAt: deps.clock.now() });
    if (first) await tasks.save(task);
    return first;
  });
  if (applied) await creditSoon(deps, caller.scope, task);
  return applied;
}

/** Executed immediately if possible. The task remains until it succeeds, so a failure here is harmless. */
async function creditSoon(deps: ReferralDeps, scope: OwnerScope, task: Task): Promise<void> {
  try {
    await credit(deps, scope, task);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}

/** Credits and notifies the referrer in one transaction: once, however often it is repeated. */
async function credit(deps: ReferralDeps, scope: OwnerScope, task: Task): Promise<void> {
  const referrer = await deps.directory.ownerScope(task.subject);
  const name = String(task.payload['name']);
  if (referrer)
    await deps.uow.write(referrer, async (stores) => {
      const invited = { invitedId: scope.ownerId, creditedAt: deps.clock.now() };
      if (!(await stores.referrals.credit(invited))) return;
      await notify(deps, stores, {
        kind: 'referral.credited',
        title: 'Your referral code was applied',
        body: `${name} has applied your code.`,
        payload: { owner: name },
      });
    });
  await deps.uow.write(scope, ({ tasks }) => tasks.remove(task.id));
}

export const creditReferral = (deps: ReferralDeps): TaskHandler => ({
  run: (scope, task) => credit(deps, scope, task),
  // The application remains valid; the failed task records that the credit is missing.
  abandon: () => Promise.resolve(),
});

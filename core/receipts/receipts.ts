import type { ReceiptStore } from '../../ports/receipts.ts';
import type { Directory } from '../../ports/directory.ts';
import type { KeyedDigest, Sealer } from '../../ports/secrets.ts';
import type { Clock } from '../../ports/time-and-ids.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { keyInProgress, keyReused } from './errors.ts';

/** How long an answer is kept for a repeat. */
export const KEPT_MS = 24 * 3600_000;
/** How long a first request may run before its key counts as abandoned, its process having died. */
export const LEASE_MS = 90_000;

const PURGED_AT_ONCE = 50;
const OWNERS_PER_QUERY = 50;
const RECEIPTS_PER_WRITE = 500;
/** Limit of the receipts that one run of the sweep removes; the next run continues. */
const MAX_SWEPT_RECEIPTS = 50_000;

export interface ReceiptDeps {
  readonly uow: UnitOfWork<'receipts'>;
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/**
 * Opens a key for the request with this fingerprint. Answers with the first answer when the request already
 * succeeded, and with nothing when it is to be run now.
 *
 * A key whose first request failed, or died before its effect, is free again: the answer is kept in the transaction
 * of the effect, so no answer means no effect.
 */
export async function openReceipt(
  deps: ReceiptDeps,
  scope: OwnerScope,
  key: string,
  fingerprint: string,
): Promise<string | undefined> {
  const now = deps.clock.now();
  return deps.uow.write(scope, async ({ receipts }) => {
    await receipts.removeExpired(now, PURGED_AT_ONCE);
    const known = await receipts.find(key);
    if (known && known.expiresAt > now) {
      if (known.fingerprint !== fingerprint) throw keyReused();
      if (known.response === null) throw keyInProgress({}, 1);
      const answer = deps.sealer.open(known.response);
      // A seal from before a lost key file: what was created can not be told any more, but it must not be repeated.
      if (answer === undefined) throw keyReused();
      return answer;
    }
    await receipts.save({ key, fingerprint, response: null, expiresAt: now + LEASE_MS });
    return undefined;
  });
}

/** Called in the unit of work of the effect, so that the effect and its answer stand or fall together. */
export async function keepReceipt<Result>(
  stores: { readonly receipts: ReceiptStore },
  clock: Clock,
  caller: Pick<Caller, 'receipt'>,
  result: Result,
): Promise<Result> {
  if (caller.receipt)
    await stores.receipts.save({
      key: caller.receipt.key,
      fingerprint: caller.receipt.fingerprint,
      response: caller.receipt.answerTo(result),
      expiresAt: clock.now() + KEPT_MS,
    });
  return result;
}

/**
 * Says that the first request with the key still runs. Work that may outlast the lease says so now and then, or how much
 * longer it may take.
 */
export async function extendReceipt(
  stores: { readonly receipts: ReceiptStore },
  clock: Clock,
  caller: Caller,
  longerMs = 0,
): Promise<void> {
  if (!caller.receipt) return;
  const { key, fingerprint } = caller.receipt;
  const expiresAt = clock.now() + LEASE_MS + longerMs;
  await stores.receipts.save({ key, fingerprint, response: null, expiresAt });
}

/** Frees the key of a request that ended without effect. */
export async function dropReceipt(
  deps: ReceiptDeps,
  scope: OwnerScope,
  key: string,
  fingerprint: string,
): Promise<void> {
  await deps.uow.write(scope, async ({ receipts }) => {
    const known = await receipts.find(key);
    if (known && known.response === null && known.fingerprint === fingerprint)
      await receipts.remove(key);
  });
}

/**
 * A fingerprint as it is stored: an HMAC under the installation's key. A request may hold a short secret, which an unkeyed
 * hash would reveal by an offline brute-force search.
 */
export const keyedFingerprint = (
  { keyedDigests }: { readonly keyedDigests: KeyedDigest },
  fingerprint: string,
): string => keyedDigests.digest('idempotency fingerprint', fingerprint);

export interface SweepReceiptsDeps extends Pick<ReceiptDeps, 'uow' | 'clock'> {
  readonly directory: Pick<Directory, 'ownersWithExpiredReceipts'>;
}

/** Removes expired receipts of all owners, including owners who no longer send keys. Returns the number removed. */
export async function sweepReceipts(
  { uow, clock, directory }: SweepReceiptsDeps,
  goesOn: () => boolean = () => true,
): Promise<number> {
  const now = clock.now();
  let removed = 0;
  while (removed < MAX_SWEPT_RECEIPTS) {
    const owners = await directory.ownersWithExpiredReceipts(now, OWNERS_PER_QUERY);
    if (owners.length === 0) return removed;
    for (const scope of owners) {
      if (!goesOn() || removed >= MAX_SWEPT_RECEIPTS) return removed;
      removed += await uow.write(scope, ({ receipts }) =>
        receipts.removeExpired(now, RECEIPTS_PER_WRITE),
      );
    }
  }
  return removed;
}

/** What is kept of an answer: it may hold a secret that is shown once. */
export const sealAnswer = (deps: Pick<ReceiptDeps, 'sealer'>, answer: string): string =>
  deps.sealer.seal(answer);

import type { IdempotencyStore } from '../../ports/idempotency.ts';
import type { Directory } from '../../ports/directory.ts';
import type { KeyedDigest, Sealer } from '../../ports/secrets.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { keyInProgress, keyReused } from './errors.ts';

/** How long a response is stored for retries. */
export const RETENTION_MS = 24 * 3600_000;
/** How long a first request may run before its key counts as abandoned because its process died. */
export const LEASE_MS = 90_000;

const PURGED_AT_ONCE = 50;
const OWNERS_PER_QUERY = 50;
const RECEIPTS_PER_WRITE = 500;
/** Maximum number of records that one run of the sweep removes; the next run continues. */
const MAX_SWEPT_RECEIPTS = 50_000;

export interface IdempotencyDeps {
  readonly uow: UnitOfWork<'idempotency'>;
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/**
 * Opens a key for the request with this fingerprint. Returns the stored response if the request has succeeded
 * already, and undefined if it has to run now.
 *
 * A key whose first request failed, or died before its effect, is free again: the response is stored in the
 * transaction of the effect, so no response means no effect.
 */
export async function openKey(
  deps: IdempotencyDeps,
  scope: OwnerScope,
  key: string,
  fingerprint: string,
): Promise<string | undefined> {
  const now = deps.clock.now();
  return deps.uow.write(scope, async ({ idempotency }) => {
    await idempotency.removeExpired(now, PURGED_AT_ONCE);
    const known = await idempotency.find(key);
    if (known && known.expiresAt > now) {
      if (known.fingerprint !== fingerprint) throw keyReused();
      if (known.response === null) throw keyInProgress({}, 1);
      const answer = deps.sealer.open(known.response);
      // Sealed with a lost key: the response cannot be restored, but the effect must not be repeated.
      if (answer === undefined) throw keyReused();
      return answer;
    }
    await idempotency.save({ key, fingerprint, response: null, expiresAt: now + LEASE_MS });
    return undefined;
  });
}

/** Called in the unit of work of the effect, so that effect and response are committed together. */
export async function saveResponse<Result>(
  stores: { readonly idempotency: IdempotencyStore },
  clock: Clock,
  caller: Pick<Caller, 'receipt'>,
  result: Result,
): Promise<Result> {
  if (caller.receipt)
    await stores.idempotency.save({
      key: caller.receipt.key,
      fingerprint: caller.receipt.fingerprint,
      response: caller.receipt.answerTo(result),
      expiresAt: clock.now() + RETENTION_MS,
    });
  return result;
}

/**
 * Renews the lease of a running first request. Work that may outlast the lease calls this from time to time, or
 * states how much longer it may take.
 */
export async function renewKey(
  stores: { readonly idempotency: IdempotencyStore },
  clock: Clock,
  caller: Caller,
  longerMs = 0,
): Promise<void> {
  if (!caller.receipt) return;
  const { key, fingerprint } = caller.receipt;
  const expiresAt = clock.now() + LEASE_MS + longerMs;
  await stores.idempotency.save({ key, fingerprint, response: null, expiresAt });
}

/** Frees the key of a request that ended without effect. */
export async function releaseKey(
  deps: IdempotencyDeps,
  scope: OwnerScope,
  key: string,
  fingerprint: string,
): Promise<void> {
  await deps.uow.write(scope, async ({ idempotency }) => {
    const known = await idempotency.find(key);
    if (known && known.response === null && known.fingerprint === fingerprint)
      await idempotency.remove(key);
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

export interface SweepKeysDeps extends Pick<IdempotencyDeps, 'uow' | 'clock'> {
  readonly directory: Pick<Directory, 'ownersWithExpiredReceipts'>;
}

/** Removes expired records of all owners, including owners who no longer send keys. Returns the number removed. */
export async function sweepExpiredKeys(
  { uow, clock, directory }: SweepKeysDeps,
  shouldContinue: () => boolean = () => true,
): Promise<number> {
  const now = clock.now();
  let removed = 0;
  while (removed < MAX_SWEPT_RECEIPTS) {
    const owners = await directory.ownersWithExpiredReceipts(now, OWNERS_PER_QUERY);
    if (owners.length === 0) return removed;
    for (const scope of owners) {
      if (!shouldContinue() || removed >= MAX_SWEPT_RECEIPTS) return removed;
      removed += await uow.write(scope, ({ idempotency }) =>
        idempotency.removeExpired(now, RECEIPTS_PER_WRITE),
      );
    }
  }
  return removed;
}

/** The stored form of a response: sealed, since it may contain a secret that is shown once. */
export const sealResponse = (deps: Pick<IdempotencyDeps, 'sealer'>, answer: string): string =>
  deps.sealer.seal(answer);

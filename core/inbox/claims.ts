import type { IdempotencyStore } from '../../ports/idempotency.ts';
import type { InboxFile } from '../../ports/inbox.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';

/** Duration of a claim. A claim that lapses while its process still reads loses nothing: its commit is rejected. */
export const CLAIM_MS = 15_000;
export const CLAIM_RENEWAL_MS = 4_000;
/** How long the record of a file that could not be moved is stored after the last try. */
const TAKEN_MS = 30 * 24 * 3_600_000;

export interface ClaimDeps {
  readonly uow: UnitOfWork<'idempotency'>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly digests: SecretDigest;
}

interface Stores {
  readonly idempotency: IdempotencyStore;
}

/** The right of one process to work on the file at a path. */
export interface Claim {
  readonly claimKey: string;
  readonly takenKey: string;
  readonly secret: string;
  /** SHA-256 of the file that was taken from this path and has not been moved; null if there is none. */
  readonly takenHash: string | null;
}

/** Another process has the claim now. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

/** Undefined if another process has it. */
export async function claimFile(
  deps: ClaimDeps,
  scope: OwnerScope,
  { id }: Pick<InboxFile, 'id'>,
): Promise<Claim | undefined> {
  const path = deps.digests.digest(id);
  const [claimKey, takenKey] = [`INBOX claim ${path}`, `INBOX taken ${path}`];
  const secret = deps.random.uuid();
  const now = deps.clock.now();
  return deps.uow.write(scope, async ({ idempotency }) => {
    const known = await idempotency.find(claimKey);
    if (known && known.expiresAt > now) return undefined;
    const expiresAt = now + CLAIM_MS;
    await idempotency.save({ key: claimKey, fingerprint: secret, response: null, expiresAt });
    const taken = await idempotency.find(takenKey);
    return { claimKey, takenKey, secret, takenHash: taken?.fingerprint ?? null };
  });
}

export async function requireClaim(
  { idempotency }: Stores,
  { claimKey, secret }: Claim,
): Promise<void> {
  if ((await idempotency.find(claimKey))?.fingerprint !== secret)
    throw new ClaimLostError('The claim on a file of the inbox was lost.');
}

export async function renewClaim(deps: ClaimDeps, scope: OwnerScope, claim: Claim): Promise<void> {
  await deps.uow.write(scope, async (stores) => {
    await requireClaim(stores, claim);
    const { claimKey: key, secret: fingerprint } = claim;
    const expiresAt = deps.clock.now() + CLAIM_MS;
    await stores.idempotency.save({ key, fingerprint, response: null, expiresAt });
  });
}

/** In the transaction that stores the object: from here on the file is only moved, even if the process dies. */
export async function recordTaken(
  deps: Pick<ClaimDeps, 'clock'>,
  stores: Stores,
  { takenKey }: Claim,
  sha256: string,
): Promise<void> {
  await stores.idempotency.save({
    key: takenKey,
    fingerprint: sha256,
    response: '',
    expiresAt: deps.clock.now() + TAKEN_MS,
  });
}

/** Ends the claim, and the record of the file if it was moved. Otherwise the record is stored for longer. */
export async function endClaim(
  deps: ClaimDeps,
  scope: OwnerScope,
  claim: Claim,
  isMoved: boolean,
): Promise<void> {
  await deps.uow.write(scope, async ({ idempotency }) => {
    const current = await idempotency.find(claim.claimKey);
    if (current?.fingerprint !== claim.secret) return;
    await idempotency.remove(claim.claimKey);
    const taken = await idempotency.find(claim.takenKey);
    if (!taken) return;
    if (isMoved) await idempotency.remove(claim.takenKey);
    else await idempotency.save({ ...taken, expiresAt: deps.clock.now() + TAKEN_MS });
  });
}

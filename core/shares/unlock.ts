import type { PasswordHasher } from '../../ports/secrets.ts';
import type { Share } from '../../ports/shares.ts';
import type { Entropy, Instant } from '../../ports/time-and-ids.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Turns } from '../shared/turns.ts';
import {
  requireHost,
  requireShare,
  type EntranceDeps,
  type EntranceStores,
  type HostDeps,
  type ShareHost,
  type Visitor,
} from './entrance.ts';
import { networkOf } from './network.ts';
import { noPassword, passwordEntryLocked, wrongPassword } from './errors.ts';

const TRIES = 5;
const WINDOW_MS = 15 * 60_000;
const ACCESS_BYTES = 32;
/** How long an access lasts. */
const ACCESS_SECONDS = 12 * 3_600;
const PURGED_AT_ONCE = 50;

export interface UnlockDeps extends EntranceDeps, HostDeps {
  readonly uow: UnitOfWork<keyof EntranceStores>;
  readonly passwords: PasswordHasher;
  readonly entropy: Entropy;
  readonly turns: Turns;
}

export interface UnlockedShare {
  /** The secret that opens this share from now on. */
  readonly access: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/**
 * Opens a share to whoever knows its password. Tries of one visitor take turns, so that right ones never lock each
 * other out.
 *
 * Ends with `not_found`, `not_configured`, `wrong_password`, and `rate_limited` after five wrong ones in 15 minutes.
 */
export async function unlockShare(
  deps: UnlockDeps,
  visitor: Visitor,
  token: string,
  password: string,
): Promise<UnlockedShare> {
  const host = await requireHost(deps, token);
  const who = deps.digests.digest(`${host.shareId} ${networkOf(visitor.address)}`);
  return deps.turns(`share ${who}`, () => tryPassword(deps, host, who, password));
}

/**
 * The try is charged, in its own transaction, before the slow comparison: a hundred guesses at once, in however many
 * processes, get five comparisons between them, and a crash forgives none. A right one takes its own charge back.
 */
async function tryPassword(
  deps: UnlockDeps,
  host: ShareHost,
  who: string,
  password: string,
): Promise<UnlockedShare> {
  const { share, passwordHash, at } = await charge(deps, host, who);
  if (!(await deps.passwords.matches(password, passwordHash))) throw wrongPassword();
  const access = deps.entropy.secret(ACCESS_BYTES);
  return deps.uow.write(host.scope, async (stores) => {
    const { share: now } = await requireShare(deps, stores, share.id);
    // Between the check and here the owner may have changed the password.
    if (now.passwordHash !== passwordHash) throw wrongPassword();
    await keepTries(stores, share, who, without(await stores.shares.tries(share.id, who), at));
    const expiresAt = deps.clock.now() + ACCESS_SECONDS * 1_000;
    await stores.shares.addAccess({
      shareId: share.id,
      digest: deps.digests.digest(access),
      expiresAt,
    });
    return { access, expiresIn: ACCESS_SECONDS };
  });
}

async function charge(
  deps: UnlockDeps,
  { scope, shareId }: ShareHost,
  who: string,
): Promise<{ readonly share: Share; readonly passwordHash: string; readonly at: Instant }> {
  return deps.uow.write(scope, async (stores) => {
    const { share } = await requireShare(deps, stores, shareId);
    const { passwordHash } = share;
    if (passwordHash === null) throw noPassword();
    const at = deps.clock.now();
    await stores.shares.removeExpired(at, PURGED_AT_ONCE);
    const moments = await stores.shares.tries(shareId, who);
    const recent = moments.filter((moment) => moment > at - WINDOW_MS);
    const [earliest] = recent;
    if (earliest !== undefined && recent.length >= TRIES)
      throw passwordEntryLocked({}, Math.ceil((earliest + WINDOW_MS - at) / 1_000));
    await keepTries(stores, share, who, [...recent, at]);
    return { share, passwordHash, at };
  });
}

const keepTries = (
  { shares }: Pick<EntranceStores, 'shares'>,
  { id: shareId }: Share,
  visitor: string,
  moments: readonly Instant[],
): Promise<void> =>
  shares.putTries({
    shareId,
    visitor,
    moments,
    forgottenAt: (moments.at(-1) ?? 0) + WINDOW_MS,
  });

/** Of equal moments one goes. */
function without(moments: readonly Instant[], moment: Instant): readonly Instant[] {
  const index = moments.lastIndexOf(moment);
  return moments.filter((_, i) => i !== index);
}

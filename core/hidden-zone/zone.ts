import type { PinLockStore } from '../../ports/hidden-zone.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Caller } from '../shared/caller.ts';
import { hiddenLocked } from './errors.ts';

/**
 * `unset`: no PIN; hidden objects are only excluded from lists. `closed`: nothing may reveal that a hidden object
 * exists. `open`: a PIN is set and this caller has unlocked the zone.
 */
export type Zone = 'unset' | 'closed' | 'open';

export interface ZoneDeps {
  readonly digests: SecretDigest;
  readonly clock: Clock;
}

/** The state of the hidden zone for this caller. Without a PIN this costs one lookup. */
export async function zoneFor(
  deps: ZoneDeps,
  zoneLock: PinLockStore,
  caller: Pick<Caller, 'hiddenToken'>,
): Promise<Zone> {
  if (!(await zoneLock.get())) return 'unset';
  if (!caller.hiddenToken) return 'closed';
  const token = await zoneLock.findToken(deps.digests.digest(caller.hiddenToken));
  return token && token.expiresAt > deps.clock.now() ? 'open' : 'closed';
}

/** The zone for work without a caller, such as a task: closed if a PIN is set. */
export const zoneOfBackground = async (
  zoneLock: Pick<PinLockStore, 'get'>,
): Promise<'unset' | 'closed'> => ((await zoneLock.get()) ? 'closed' : 'unset');

/**
 * Whether the caller may access an object by its id. While the zone is locked, a hidden object must be
 * indistinguishable from a missing one.
 */
export const canSee = (object: { readonly isHidden: boolean }, zone: Zone): boolean =>
  !object.isHidden || zone !== 'closed';

/**
 * The visibility of a list. A request for hidden objects only is rejected. A request to include them is silently
 * ignored.
 */
function listedVisibility(
  zone: Zone,
  input: { readonly includeHidden: boolean; readonly hiddenOnly: boolean },
): 'visible' | 'hidden' | 'any' {
  if (input.hiddenOnly) {
    if (zone === 'closed') throw hiddenLocked();
    return 'hidden';
  }
  return input.includeHidden && zone !== 'closed' ? 'any' : 'visible';
}

/** The same for a caller. If no hidden objects are requested, the zone is not looked up. */
export const visibilityFor = async (
  deps: ZoneDeps,
  zoneLock: PinLockStore,
  caller: Pick<Caller, 'hiddenToken'>,
  input: { readonly includeHidden: boolean; readonly hiddenOnly: boolean },
): Promise<'visible' | 'hidden' | 'any'> =>
  input.includeHidden || input.hiddenOnly
    ? listedVisibility(await zoneFor(deps, zoneLock, caller), input)
    : 'visible';

/** The visibility for answers: hidden objects only if the zone was unlocked for this request. */
export const visibilityForRequest = (zone: Zone): 'visible' | 'any' =>
  zone === 'open' ? 'any' : 'visible';

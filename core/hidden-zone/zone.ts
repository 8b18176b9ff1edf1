import type { ZoneLockStore } from '../../ports/hidden-zone.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock } from '../../ports/time-and-ids.ts';
import type { Caller } from '../shared/caller.ts';
import { hiddenLocked } from './errors.ts';

/**
 * `unset`: no PIN; hidden objects are only left out of lists. `closed`: nothing may tell that one exists. `open`: a
 * PIN is set and this caller has unlocked it.
 */
export type Zone = 'unset' | 'closed' | 'open';

export interface ZoneDeps {
  readonly digests: SecretDigest;
  readonly clock: Clock;
}

/** How the hidden zone stands for this caller. Without a lock it costs one look-up. */
export async function zoneFor(
  deps: ZoneDeps,
  zoneLock: ZoneLockStore,
  caller: Pick<Caller, 'hiddenToken'>,
): Promise<Zone> {
  if (!(await zoneLock.get())) return 'unset';
  if (!caller.hiddenToken) return 'closed';
  const token = await zoneLock.findToken(deps.digests.digest(caller.hiddenToken));
  return token && token.expiresAt > deps.clock.now() ? 'open' : 'closed';
}

/** The zone for work without a caller, such as a task: closed wherever a PIN is set. */
export const zoneOfBackground = async (
  zoneLock: Pick<ZoneLockStore, 'get'>,
): Promise<'unset' | 'closed'> => ((await zoneLock.get()) ? 'closed' : 'unset');

/** Whether an object may be known by its id. Behind a closed zone a hidden one must look exactly like a missing one. */
export const canSee = (object: { readonly isHidden: boolean }, zone: Zone): boolean =>
  !object.isHidden || zone !== 'closed';

/**
 * What a list shows. Asking only for hidden objects is refused aloud; asking to include them degrades in silence.
 */
function listedVisibility(
  zone: Zone,
  wanted: { readonly includeHidden: boolean; readonly hiddenOnly: boolean },
): 'visible' | 'hidden' | 'any' {
  if (wanted.hiddenOnly) {
    if (zone === 'closed') throw hiddenLocked();
    return 'hidden';
  }
  return wanted.includeHidden && zone !== 'closed' ? 'any' : 'visible';
}

/** The same for a caller. Where nothing hidden is asked for, the zone decides nothing and is not looked up. */
export const visibilityFor = async (
  deps: ZoneDeps,
  zoneLock: ZoneLockStore,
  caller: Pick<Caller, 'hiddenToken'>,
  wanted: { readonly includeHidden: boolean; readonly hiddenOnly: boolean },
): Promise<'visible' | 'hidden' | 'any'> =>
  wanted.includeHidden || wanted.hiddenOnly
    ? listedVisibility(await zoneFor(deps, zoneLock, caller), wanted)
    : 'visible';

/** What a question may draw on: the hidden zone only once it was unlocked for this request. */
export const askedVisibility = (zone: Zone): 'visible' | 'any' =>
  zone === 'open' ? 'any' : 'visible';

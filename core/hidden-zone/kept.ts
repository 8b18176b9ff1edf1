import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { canSee, zoneFor, type ZoneDeps } from './zone.ts';

export interface KeptDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'zoneLock'>;
}

/** In any spelling that a path may have. */
const IDS = /([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})/gi;

/**
 * Whether a kept answer, or what it answers to, names an object that this caller may not know of: it may have been
 * hidden since. Any id counts, wherever it stands.
 */
export async function tellsOfHidden(
  deps: KeptDeps,
  caller: Pick<Caller, 'scope' | 'hiddenToken'>,
  exchange: string,
): Promise<boolean> {
  const spelled = [...exchange.matchAll(IDS)].map(([, ...parts]) => parts.join('-').toLowerCase());
  const ids = [...new Set(spelled)];
  if (ids.length === 0) return false;
  return deps.uow.read(caller.scope, async ({ objects, zoneLock }) => {
    const zone = await zoneFor(deps, zoneLock, caller);
    if (zone !== 'closed') return false;
    return (await objects.findMany(ids)).some((object) => !canSee(object, zone));
  });
}

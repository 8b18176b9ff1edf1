import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { canSee, zoneFor, type ZoneDeps } from './zone.ts';

export interface ReferenceDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'chats' | 'objects' | 'themes' | 'pinLock'>;
}

/** Ids in a path or in a stored reply. */
export interface References {
  readonly objects: readonly string[];
  readonly themes: readonly string[];
  readonly chats: readonly string[];
}

const IDS_PER_QUERY = 500;

/**
 * Whether the caller may see everything that is referenced. Behind a closed zone something hidden and something that does not
 * exist give the same result, so that they can not be distinguished. With an open zone nothing is looked up.
 */
export async function seesAll(
  deps: ReferenceDeps,
  caller: Pick<Caller, 'scope' | 'hiddenToken'>,
  { objects, themes, chats }: References,
): Promise<boolean> {
  if (objects.length + themes.length + chats.length === 0) return true;
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    if (zone !== 'closed') return true;
    const ids = [...new Set(objects)];
    for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
      const some = ids.slice(start, start + IDS_PER_QUERY);
      const seen = (await stores.objects.findMany(some)).filter((object) => canSee(object, zone));
      if (seen.length < some.length) return false;
    }
    for (const id of new Set(themes)) {
      const theme = await stores.themes.find(id);
      if (!theme || !canSee(theme, zone)) return false;
    }
    for (const id of new Set(chats))
      if (!(await stores.chats.find(id)) || (await stores.chats.holdsHidden(id))) return false;
    return true;
  });
}

import type { ObjectSummary } from '../../ports/objects.ts';
import type { PageRequest } from '../../ports/paging.ts';
import type { Share } from '../../ports/shares.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import type { VisitorStores, OpenShare } from './visitor-access.ts';
import { requireShare } from './visitor-access.ts';
import { findShare } from './manage.ts';
import { nameOf, shownObjects } from './resource.ts';

/** A share as a visitor sees it. */
export interface ShareContents {
  readonly share: Share;
  /** '' while it is locked. */
  readonly resourceName: string;
  readonly unlocked: boolean;
  /** Newest first. */
  readonly items: readonly ObjectSummary[];
  readonly total: number;
}

export async function contentsOf(
  stores: VisitorStores,
  { share, resource }: OpenShare,
  page: PageRequest,
): Promise<ShareContents> {
  const shown = await shownObjects(stores, resource, page);
  return {
    share,
    resourceName: nameOf(resource),
    unlocked: true,
    items: shown.items,
    total: shown.total,
  };
}

/** A locked share reveals only its own name. */
export const lockedContents = (share: Share): ShareContents => ({
  share,
  resourceName: '',
  unlocked: false,
  items: [],
  total: 0,
});

export interface ContentsDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof VisitorStores | 'pinLock'>;
}

/** The resource as a visitor sees it after unlocking: `not_found` if there is none. */
export async function shareContents(
  deps: ContentsDeps,
  caller: Caller,
  id: string,
  page: PageRequest,
): Promise<ShareContents> {
  return deps.uow.read(caller.scope, async (stores) => {
    const { id: shareId } = await findShare(
      stores,
      await zoneFor(deps, stores.pinLock, caller),
      id,
    );
    return contentsOf(stores, await requireShare(deps, stores, shareId), page);
  });
}

import type { PageRequest } from '../../ports/paging.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { notify } from '../notifications/index.ts';
import { notFound } from '../shared/common-errors.ts';
import type { Coalescer } from '../shared/coalescing.ts';
import { contentsOf, lockedContents, type ShareContents } from './contents.ts';
import {
  isUnlocked,
  requireShareOwner,
  requireShare,
  type VisitorDeps,
  type VisitorStores,
  type ShareOwnerDeps,
  type ShareOwner,
  type Visitor,
} from './visitor-access.ts';
import { nameOf } from './resource.ts';

export interface VisitDeps extends VisitorDeps, ShareOwnerDeps {
  readonly uow: UnitOfWork<keyof VisitorStores | 'notifications'>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly coalescer: Coalescer;
}

/**
 * The target of a token, one page of it; for a locked share its name only. Every visit is counted, and the owner is
 * notified of the first. Ends with `not_found` only, for any reason.
 */
export async function visitShare(
  deps: VisitDeps,
  visitor: Visitor,
  token: string,
  page: PageRequest,
): Promise<ShareContents> {
  const host = await requireShareOwner(deps, token);
  const contents = await deps.uow.read(host.scope, async (stores) => {
    const open = await requireShare(deps, stores, host.shareId);
    return (await isUnlocked(deps, stores, open.share, visitor))
      ? contentsOf(stores, open, page)
      : lockedContents(open.share);
  });
  if (visitor.counts)
    await deps.coalescer(`visits ${host.shareId}`, (many) => countVisits(deps, host, many));
  return contents;
}

/**
 * Counting is a separate, short write, so that no list is read while other writes wait. Concurrent visits share one
 * write.
 */
async function countVisits(
  deps: VisitDeps,
  { scope, shareId }: ShareOwner,
  many: number,
): Promise<void> {
  await deps.uow.write(scope, async (stores) => {
    const count = await stores.shares.count(shareId, 'access', many);
    // Revoked since.
    if (count === undefined) throw notFound();
    if (count > many) return;
    const { share, resource } = await requireShare(deps, stores, shareId);
    const object = resource.kind === 'file' ? resource.object : null;
    const name = share.name || nameOf(resource);
    await notify(deps, stores, {
      kind: 'share.opened',
      title: 'A share was opened',
      body: `The link to ${name} was opened for the first time.`,
      payload: { share_id: shareId, object_id: object?.id ?? null, name },
      ...(object && { about: object }),
    });
  });
}

import type { RecentQuery } from '../../ports/conversations.ts';
import type { Page } from '../../ports/paging.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';

const DAY_MS = 86_400_000;

export interface RecentDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'chats' | 'pinLock'>;
}

/**
 * The owner's questions of the last days, newest first. The chat history is the only source; there is no other log.
 * While the zone is locked, questions of sessions that hold a hidden object are left out.
 */
export async function recentQueries(
  deps: RecentDeps,
  caller: Caller,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<Page<RecentQuery>> {
  const since = deps.clock.now() - days * DAY_MS;
  return deps.uow.read(caller.scope, async ({ chats, pinLock }) => {
    const visibleOnly = (await zoneFor(deps, pinLock, caller)) === 'closed';
    return chats.recentQueries(since, { limit, offset: 0 }, { visibleOnly });
  });
}

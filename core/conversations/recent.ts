import type { RecentQuery } from '../../ports/conversations.ts';
import type { Page } from '../../ports/paging.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';

const DAY_MS = 86_400_000;

export interface RecentDeps {
  readonly uow: UnitOfWork<'chats'>;
  readonly clock: Clock;
}

/**
 * The owner's questions of the last days, newest first. The chat history is the only source; there is no other log.
 */
export async function recentQueries(
  deps: RecentDeps,
  caller: Caller,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<Page<RecentQuery>> {
  const since = deps.clock.now() - days * DAY_MS;
  return deps.uow.read(caller.scope, ({ chats }) =>
    chats.recentQueries(since, { limit, offset: 0 }),
  );
}

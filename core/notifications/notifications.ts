import type { NotificationPage, NotificationSight } from '../../ports/notifications.ts';
import type { PageRequest } from '../../ports/paging.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';

export interface NotificationDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'notifications' | 'zoneLock'>;
}

/** A page as it is when nothing else is asked for. */
const FIRST_PAGE: PageRequest = { limit: 50, offset: 0 };

/** Newest first. Behind a closed zone those that tell of hidden objects are nowhere, in no count either. */
export async function listNotifications(
  deps: NotificationDeps,
  caller: Caller,
  { unreadOnly, ...page }: PageRequest & { readonly unreadOnly: boolean },
): Promise<NotificationPage> {
  return deps.uow.read(caller.scope, async ({ notifications, zoneLock }) => {
    const sight = sightOf(await zoneFor(deps, zoneLock, caller));
    return notifications.page(sight, unreadOnly, page);
  });
}

/**
 * Tells two states of the list apart for the price of a row: whatever the caller may see of it, it is another one after
 * each change and the same as long as there was none.
 */
export async function notificationsTag(deps: NotificationDeps, caller: Caller): Promise<string> {
  return deps.uow.read(caller.scope, async ({ notifications, zoneLock }) => {
    const zone = await zoneFor(deps, zoneLock, caller);
    return `${zone} ${await notifications.version(sightOf(zone))}`;
  });
}

/** Reads these, or with none named all that the caller may see. Answers with the list as it is then. */
export async function markNotificationsRead(
  deps: NotificationDeps,
  caller: Caller,
  ids: readonly string[],
): Promise<NotificationPage> {
  return deps.uow.write(caller.scope, async ({ notifications, zoneLock }) => {
    const sight = sightOf(await zoneFor(deps, zoneLock, caller));
    await notifications.markRead(sight, ids.length === 0 ? 'all' : ids, deps.clock.now());
    return notifications.page(sight, false, FIRST_PAGE);
  });
}

export async function deleteNotification(
  deps: NotificationDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  await deps.uow.write(caller.scope, async ({ notifications, zoneLock }) => {
    const sight = sightOf(await zoneFor(deps, zoneLock, caller));
    if (!(await notifications.remove(sight, id, deps.clock.now()))) throw notFound();
  });
}

const sightOf = (zone: Zone): NotificationSight => (zone === 'closed' ? 'visible' : 'any');

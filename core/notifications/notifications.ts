import type { NotificationPage, NotificationVisibility } from '../../ports/notifications.ts';
import type { PageRequest } from '../../ports/paging.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';

export interface NotificationDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'notifications' | 'pinLock'>;
}

/** Default parameters of a page. */
const FIRST_PAGE: PageRequest = { limit: 50, offset: 0 };

/**
 * Newest first. While the zone is locked, those that concern hidden objects are excluded, from all counts as well.
 */
export async function listNotifications(
  deps: NotificationDeps,
  caller: Caller,
  { unreadOnly, ...page }: PageRequest & { readonly unreadOnly: boolean },
): Promise<NotificationPage> {
  return deps.uow.read(caller.scope, async ({ notifications, pinLock }) => {
    const sight = sightOf(await zoneFor(deps, pinLock, caller));
    return notifications.page(sight, unreadOnly, page);
  });
}

/**
 * An ETag of the list for the cost of one row. It changes with every change that the caller may see, and only then.
 */
export async function notificationsTag(deps: NotificationDeps, caller: Caller): Promise<string> {
  return deps.uow.read(caller.scope, async ({ notifications, pinLock }) => {
    const zone = await zoneFor(deps, pinLock, caller);
    return `${zone} ${await notifications.version(sightOf(zone))}`;
  });
}

/** Marks these as read, or without ids all that the caller may see. Returns the resulting list. */
export async function markNotificationsRead(
  deps: NotificationDeps,
  caller: Caller,
  ids: readonly string[],
): Promise<NotificationPage> {
  return deps.uow.write(caller.scope, async ({ notifications, pinLock }) => {
    const sight = sightOf(await zoneFor(deps, pinLock, caller));
    await notifications.markRead(sight, ids.length === 0 ? 'all' : ids, deps.clock.now());
    return notifications.page(sight, false, FIRST_PAGE);
  });
}

export async function deleteNotification(
  deps: NotificationDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  await deps.uow.write(caller.scope, async ({ notifications, pinLock }) => {
    const sight = sightOf(await zoneFor(deps, pinLock, caller));
    if (!(await notifications.remove(sight, id, deps.clock.now()))) throw notFound();
  });
}

const sightOf = (zone: Zone): NotificationVisibility => (zone === 'closed' ? 'visible' : 'any');

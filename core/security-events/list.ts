import type {
  SecurityEvent,
  SecurityEventKey,
  SecurityEventKind,
} from '../../ports/security-events.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';

const DAY_MS = 86_400_000;
/** How long security events are stored and listed. */
export const SECURITY_EVENT_MS = 400 * DAY_MS;

export interface ListSecurityEventsDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'securityEvents' | 'pinLock'>;
  /** Records the pending failed sign-ins of this process: they are recorded after their response. */
  readonly recordPending: (ownerId: string) => Promise<void>;
}

export interface SecurityEventRequest {
  readonly limit: number;
  readonly kind?: SecurityEventKind;
  /** The last event of the page before. */
  readonly after?: SecurityEventKey;
}

/** An event without its place in the chain, which would reveal how many events are not listed. */
export type ListedSecurityEvent = Omit<
  SecurityEvent,
  'seq' | 'objectId' | 'previousDigest' | 'digest'
>;

export interface SecurityEventPage {
  readonly items: readonly ListedSecurityEvent[];
  /** For the next page; null if there is none. */
  readonly next: SecurityEventKey | null;
}

/**
 * Newest first. While the zone is locked, events that concern a hidden object are excluded, and so are those of erased ones:
 * whether these were hidden is not known any more. Expired events are not listed, although the last one of a chain is stored
 * for the next one to refer to.
 */
export async function listSecurityEvents(
  deps: ListSecurityEventsDeps,
  caller: Caller,
  { limit, kind, after }: SecurityEventRequest,
): Promise<SecurityEventPage> {
  await deps.recordPending(caller.scope.ownerId);
  return deps.uow.read(caller.scope, async ({ securityEvents, pinLock }) => {
    const zone = await zoneFor(deps, pinLock, caller);
    const position = after && (await securityEvents.positionOf(after));
    // The event has expired since, and all earlier ones have too.
    if (after && !position) return { items: [], next: null };
    const found = await securityEvents.page(
      { visibility: zone === 'closed' ? 'visible' : 'any', ...(kind !== undefined && { kind }) },
      { limit: limit + 1, ...(position && { after: position }) },
    );
    const expired = deps.clock.now() - SECURITY_EVENT_MS;
    const kept = found.filter(({ at }) => at >= expired);
    const items = kept.slice(0, limit).map(toListed);
    const last = items.at(-1);
    return {
      items,
      next: kept.length > limit && last ? { at: last.at, id: last.id } : null,
    };
  });
}

const toListed = ({
  id,
  at,
  kind,
  actor,
  network,
  subject,
  detail,
  facts,
}: SecurityEvent): ListedSecurityEvent => ({
  id,
  at,
  kind,
  actor,
  network,
  subject,
  detail,
  facts,
});

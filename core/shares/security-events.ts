import type { SecurityFacts } from '../../ports/security-events.ts';
import type { Share } from '../../ports/shares.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Instant } from '../../ports/runtime.ts';
import {
  recordSecurityEvent,
  shareEvent,
  visitorSource,
  type SecurityEventDeps,
} from '../security-events/index.ts';
import { SHARE_ATTEMPTS } from './attempts.ts';
import type { Visitor } from './visitor-access.ts';

/** How many recent events are searched for an equal one. */
const RECENT_EVENTS = 20;

/** The terms of a share as its owner sees them, without its password. */
export function termsOf({ role, passwordHash, expiresAt }: Share): string {
  const password = passwordHash === null ? 'no password' : 'a password';
  const expiry = expiresAt === null ? 'no expiry' : `expires ${new Date(expiresAt).toISOString()}`;
  return `${role}, ${password}, ${expiry}`;
}

/** What an edit changes; empty if nothing. A password that was sent counts: visitors have to enter it again. */
export function changesOf(before: Share, after: Share, isPasswordSent: boolean): readonly string[] {
  return [
    before.name !== after.name && 'name',
    before.role !== after.role && 'role',
    isPasswordSent && (before.passwordHash !== null || after.passwordHash !== null) && 'password',
    before.expiresAt !== after.expiresAt && 'expiry',
    (before.maxUploadBytes !== after.maxUploadBytes ||
      before.maxUploadFiles !== after.maxUploadFiles) &&
      'upload limit',
  ].filter((field) => field !== false);
}

/** The same for programs. */
export const termFacts = ({ role, passwordHash, expiresAt }: Share): SecurityFacts => ({
  role,
  has_password: passwordHash !== null,
  expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
});

type EventStores = Pick<Stores, 'securityEvents'>;

/**
 * Records a wrong password. `attempts` counts those of all networks in the present window: once the share is slow, no more
 * are recorded, so that guessers can not fill the log.
 */
export async function recordFailedUnlock(
  deps: SecurityEventDeps,
  stores: EventStores,
  { address }: Visitor,
  share: Share,
  attempts: number,
): Promise<void> {
  if (attempts > SHARE_ATTEMPTS.maxFastAttempts) return;
  const isLast = attempts === SHARE_ATTEMPTS.maxFastAttempts;
  const more = isLast
    ? '. Further attempts are slowed down and not recorded until there are fewer'
    : '';
  const event = shareEvent(share, 'unlock_failed', `got a wrong password${more}`, {
    is_last_recorded: isLast,
  });
  await recordSecurityEvent(deps, stores, visitorSource(address), event);
}

/** Records that a visitor has entered the password; once for a network, until some time has passed. */
export async function recordUnlock(
  deps: SecurityEventDeps,
  stores: EventStores,
  { address }: Visitor,
  share: Share,
): Promise<void> {
  const source = visitorSource(address);
  const event = shareEvent(share, 'unlocked', 'was unlocked with its password');
  const since: Instant = deps.clock.now() - SHARE_ATTEMPTS.windowMs;
  // The object of a share that visitors can open is visible. Other events must not affect this one.
  const recent = await stores.securityEvents.page(
    { visibility: 'visible', kind: event.kind },
    { limit: RECENT_EVENTS },
  );
  const isRepeated = recent.some(
    ({ subject, network, at }) => subject === share.id && network === source.network && at > since,
  );
  if (!isRepeated) await recordSecurityEvent(deps, stores, source, event);
}

import type { Stores } from '../../ports/unit-of-work.ts';
import { recordSecurityEvent, sourceOf, type SecurityEventDeps } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';

/** The id of the caller's session; null for a token. */
export const currentSessionId = ({ credential }: Pick<Caller, 'credential'>): string | null =>
  credential.kind === 'session' ? credential.session.id : null;

const CAUSES = {
  chosen: '',
  password_changed: 'The password was changed. ',
  password_removed: 'The password was removed. ',
  linked_account_changed: 'The linked account was changed. ',
  linked_account_removed: 'The account of the identity provider was unlinked. ',
};

/**
 * Removes all sessions of the owner but the caller's, and records it. Returns how many. A change of a way to sign in calls
 * it with its `cause`, for the log: a person who knew the old password may be signed in (OWASP ASVS 5.0, 7.4.3).
 */
export async function removeOtherSessions(
  deps: SecurityEventDeps,
  stores: Pick<Stores, 'sessions' | 'securityEvents'>,
  caller: Pick<Caller, 'credential' | 'client'>,
  cause: keyof typeof CAUSES = 'chosen',
): Promise<number> {
  const { length } = await stores.sessions.removeOthers(currentSessionId(caller));
  if (length === 0) return 0;
  const effect = length === 1 ? 'One session was ended.' : `${length} sessions were ended.`;
  await recordSecurityEvent(deps, stores, sourceOf(caller), {
    kind: 'session_ended',
    detail: `${CAUSES[cause]}${effect}`,
    facts: { cause, count: length },
  });
  return length;
}

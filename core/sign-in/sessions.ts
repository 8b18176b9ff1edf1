import type { Page, PageRequest } from '../../ports/paging.ts';
import { MAX_SESSIONS, type Session } from '../../ports/sign-in.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import {
  SESSION_IDLE_MS,
  isSessionValid,
  requireRecentSignIn,
  type LastUse,
} from '../identity/index.ts';
import { recordSecurityEvent, sourceOf, type SecurityEventDeps } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import { forbidden, notFound } from '../shared/common-errors.ts';
import { currentSessionId, removeOtherSessions } from './remove-other-sessions.ts';

export interface SessionDeps extends SecurityEventDeps {
  readonly uow: UnitOfWork<'sessions' | 'securityEvents'>;
  readonly lastUse: LastUse;
}

export interface SessionPage extends Page<Session> {
  readonly currentId: string | null;
}

/** The valid sessions, most recently used first. Uses up to now are included. */
export async function listSessions(
  deps: Pick<SessionDeps, 'uow' | 'clock' | 'lastUse'>,
  caller: Caller,
  { limit, offset }: PageRequest,
): Promise<SessionPage> {
  await deps.lastUse.flush(caller.scope.ownerId);
  const now = deps.clock.now();
  const all = await deps.uow.read(caller.scope, ({ sessions }) => sessions.page(MAX_SESSIONS, 0));
  const valid = all.items.filter((session) => isSessionValid(session, now));
  const items = valid.slice(offset, offset + limit);
  return { items, total: valid.length, currentId: currentSessionId(caller) };
}

/**
 * Ends a session at once, in every process: sessions are looked up for every request. To end another one needs a recent
 * sign-in, like ending all others: a thief must not drive the owner out with a stolen session.
 */
export async function endSession(
  deps: SessionDeps,
  caller: Caller,
  id: string,
): Promise<{ readonly isCurrent: boolean }> {
  const isCurrent = id === currentSessionId(caller);
  if (!isCurrent) requireRecentSignIn(deps, caller);
  await deps.uow.write(caller.scope, async (stores) => {
    const session = await stores.sessions.find(id);
    if (!session || !isSessionValid(session, deps.clock.now())) throw notFound();
    await stores.sessions.remove(id);
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'session_ended',
      subject: id,
      detail: `The session of ${session.client} was ended.`,
      facts: { client: session.client, cause: 'chosen' },
    });
  });
  return { isCurrent };
}

/** Ends all sessions but the caller's, or all for a token. Returns how many. */
export async function endOtherSessions(deps: SessionDeps, caller: Caller): Promise<number> {
  return deps.uow.write(caller.scope, async (stores) => {
    const now = deps.clock.now();
    // Those that are not valid any more are not counted.
    await stores.sessions.removeExpired(now + 1, now + 1 - SESSION_IDLE_MS);
    return removeOtherSessions(deps, stores, caller);
  });
}

/**
 * Ends the caller's session. It does not lock the hidden zone: unlock tokens are the owner's, not the session's, and open
 * nothing without a session or a token of the same owner.
 */
export async function signOut(deps: SessionDeps, caller: Caller): Promise<void> {
  const id = currentSessionId(caller);
  if (id === null)
    throw forbidden({}, undefined, 'A token has no session to end. To end the token, revoke it.');
  await deps.uow.write(caller.scope, async (stores) => {
    // Another request may have ended it since this one was authenticated: the effect is the same.
    if (!(await stores.sessions.remove(id))) return;
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'signed_out',
      subject: id,
      detail: 'Signed out.',
    });
  });
}

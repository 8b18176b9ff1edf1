import type { ClientNames } from '../../ports/client-names.ts';
import type { Owner } from '../../ports/identity.ts';
import { MAX_SESSIONS, type Session, type SignInMethod } from '../../ports/sign-in.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { isSessionValid } from '../identity/index.ts';
import { networkOf } from '../shared/network.ts';
import type { Caller, Client } from '../shared/caller.ts';
import {
  alertNewClient,
  recordSecurityEvent,
  type SecurityEventDeps,
  type SecuritySource,
} from '../security-events/index.ts';

const DAY_MS = 86_400_000;
/** Lifetime of a session from its latest sign-in, however often it is used. */
export const SESSION_MS = 30 * DAY_MS;
const SECRET_BYTES = 32;
const MINUTE_MS = 60_000;

export interface StartSessionDeps extends SecurityEventDeps {
  readonly clientNames: ClientNames;
}

export type StartSessionStores = Pick<Stores, 'sessions' | 'securityEvents' | 'notifications'>;

/** Where a sign-in comes from. */
export interface SignInOrigin {
  readonly client: Client;
  /** The caller whose cookie came with the request, if there was one. */
  readonly current?: Pick<Caller, 'owner' | 'credential'> | undefined;
}

export interface SignInInput extends SignInOrigin {
  readonly method: SignInMethod;
  /** When the person proved who they are, where that was not now: a sign-in counts as recent from then on. Null if unknown. */
  readonly authenticatedAt?: Instant | null;
}

/** A session with its secret, which exists only here and in the cookie. */
export interface SignedIn {
  readonly owner: Owner;
  readonly session: Session;
  readonly secret: string;
}

/**
 * Signs the owner in, in the transaction of what proved it. A session of the same owner that came with the request is
 * renewed: it keeps its id and gets a new secret, so that a stolen secret is no longer accepted. Every way to sign
 * in calls this.
 */
export async function startSession(
  deps: StartSessionDeps,
  stores: StartSessionStores,
  owner: Owner,
  { method, client, current, authenticatedAt }: SignInInput,
): Promise<SignedIn> {
  const now = deps.clock.now();
  const secret = deps.random.secret(SECRET_BYTES);
  const renewed =
    current?.credential.kind === 'session' && current.owner.id === owner.id
      ? await stores.sessions.find(current.credential.session.id)
      : undefined;
  const session: Session = {
    id: renewed?.id ?? deps.random.uuid(),
    digest: deps.digests.digest(secret),
    method,
    createdAt: renewed?.createdAt ?? now,
    signedInAt: Math.max(renewed?.signedInAt ?? 0, Math.min(now, authenticatedAt ?? now)),
    lastUsedAt: Math.floor(now / MINUTE_MS) * MINUTE_MS,
    expiresAt: now + SESSION_MS,
    network: networkOf(client.address),
    client: deps.clientNames.nameOf(client.userAgent),
  };
  const isKnown = await isExpected(stores, session);
  const dropped = renewed ? undefined : await leastUsed(stores);
  await stores.sessions.save(session);
  const actor = { kind: 'session', id: session.id, name: session.client } as const;
  const source = { actor, network: session.network };
  const event = await recordSecurityEvent(deps, stores, source, {
    kind: 'signed_in',
    subject: session.id,
    detail: `Signed in by ${method}.`,
    facts: { method },
  });
  if (dropped && isSessionValid(dropped, now)) await recordDropped(deps, stores, source, dropped);
  if (!isKnown) await alertNewClient(deps, stores, event);
  return { owner, session, secret };
}

/** The session that ends if another one begins; undefined if there is room. */
async function leastUsed({ sessions }: StartSessionStores): Promise<Session | undefined> {
  const { items } = await sessions.page(1, MAX_SESSIONS - 1);
  return items[0];
}

const recordDropped = (
  deps: StartSessionDeps,
  stores: StartSessionStores,
  source: SecuritySource,
  { id, client }: Session,
) =>
  recordSecurityEvent(deps, stores, source, {
    kind: 'session_ended',
    subject: id,
    detail: `The session of ${client} was ended, because there were more than ${MAX_SESSIONS}.`,
    facts: { client, cause: 'too_many', limit: MAX_SESSIONS },
  });

/** Whether the owner has signed in from there before, or never at all. Saving the session makes its client known. */
async function isExpected(
  { sessions, securityEvents }: StartSessionStores,
  { network, client }: Session,
): Promise<boolean> {
  if (await sessions.isKnownClient(network, client)) return true;
  return (await securityEvents.countSince('signed_in', 0, 1)) === 0;
}

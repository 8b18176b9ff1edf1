import type { Directory } from '../../ports/directory.ts';
import {
  TOKEN_SCOPES,
  type AccountRoles,
  type RoleLimits,
  type Token,
  type TokenScope,
} from '../../ports/identity.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Session } from '../../ports/sign-in.ts';
import type { Caller, Client } from '../shared/caller.ts';
import { scopeOf } from '../shared/owner-scope.ts';
import { notAuthenticated } from './errors.ts';
import type { LastUse } from './last-use.ts';
import { parseBearer } from './token-format.ts';

/** A session that was not used for so long is not accepted. */
export const SESSION_IDLE_MS = 14 * 86_400_000;

/** 32 random bytes as base64url. */
const SESSION_SECRET = /^[A-Za-z0-9_-]{43}$/;

export interface AuthenticateDeps {
  readonly directory: Directory;
  readonly digests: SecretDigest;
  readonly clock: Clock;
  readonly roles: AccountRoles;
  readonly lastUse: Pick<LastUse, 'note'>;
}

/** The credentials of a request, as sent. A bearer token is preferred to the secret of a session. */
export interface Credentials {
  readonly bearer?: string | undefined;
  readonly session?: string | undefined;
}

/**
 * The identity behind the credentials of a request. Looked up on every request, so that a revocation or a sign-out takes
 * effect immediately in every process. Ends with `unauthorized`.
 */
export async function authenticate(
  deps: AuthenticateDeps,
  { bearer, session }: Credentials,
  client: Client,
): Promise<Caller> {
  if (bearer !== undefined) return authenticateToken(deps, bearer, client);
  if (session !== undefined) return authenticateSession(deps, session, client);
  throw notAuthenticated();
}

async function authenticateToken(
  deps: AuthenticateDeps,
  bearer: string,
  client: Client,
): Promise<Caller> {
  const parsed = parseBearer(bearer);
  if (!parsed) throw notAuthenticated();
  const known = await deps.directory.identify(parsed.prefix);
  if (!known || !deps.digests.matches(parsed.bearer, known.token.digest)) throw notAuthenticated();
  const { token, owner, tenant } = known;
  const now = deps.clock.now();
  if (!isTokenValid(token, now)) throw notAuthenticated();
  const { folderIds } = token;
  const caller: Caller = {
    scope: { ...scopeOf(owner), ...(folderIds && { folderIds }) },
    tenant,
    owner,
    credential: { kind: 'token', token },
    scopes: scopesOf(token),
    mayStoreHistory: mayStoreHistory(token),
    client,
    limits: limitsOf(deps.roles, owner.role),
  };
  deps.lastUse.note(caller, now);
  return caller;
}

async function authenticateSession(
  deps: AuthenticateDeps,
  secret: string,
  client: Client,
): Promise<Caller> {
  if (!SESSION_SECRET.test(secret)) throw notAuthenticated();
  const known = await deps.directory.identifySession(deps.digests.digest(secret));
  const now = deps.clock.now();
  if (!known || !isSessionValid(known.session, now)) throw notAuthenticated();
  const { session, owner, tenant } = known;
  const caller: Caller = {
    scope: scopeOf(owner),
    tenant,
    owner,
    credential: { kind: 'session', session },
    scopes: ALL_SCOPES,
    mayStoreHistory: true,
    client,
    limits: limitsOf(deps.roles, owner.role),
  };
  deps.lastUse.note(caller, now);
  return caller;
}

export const isTokenValid = ({ expiresAt }: Token, now: number): boolean =>
  expiresAt === null || expiresAt > now;

export const isSessionValid = ({ expiresAt, lastUsedAt }: Session, now: number): boolean =>
  expiresAt > now && lastUsedAt + SESSION_IDLE_MS > now;

const ALL_SCOPES: ReadonlySet<TokenScope> = new Set(TOKEN_SCOPES);
const READ_ONLY: ReadonlySet<TokenScope> = new Set(['read', 'ask']);

/** Without scopes of its own a token has those of its `access`. */
export const scopesOf = ({ scopes, access }: Pick<Token, 'scopes' | 'access'>) =>
  scopes ? new Set(scopes) : access === 'full' ? ALL_SCOPES : READ_ONLY;

export const mayStoreHistory = ({ scopes, access }: Pick<Token, 'scopes' | 'access'>): boolean =>
  scopes !== null || access === 'full';

/** For work that outlives a request: ends with `unauthorized` once the credential has ended. */
export async function requireCredential(
  deps: Pick<AuthenticateDeps, 'directory' | 'clock'>,
  { credential }: Pick<Caller, 'credential'>,
): Promise<void> {
  const now = deps.clock.now();
  if (credential.kind === 'session') {
    const { id, digest } = credential.session;
    const known = await deps.directory.identifySession(digest);
    if (known?.session.id !== id || !isSessionValid(known.session, now)) throw notAuthenticated();
    return;
  }
  const known = await deps.directory.identify(credential.token.prefix);
  if (!known || known.token.id !== credential.token.id) throw notAuthenticated();
  if (!isTokenValid(known.token, now)) throw notAuthenticated();
}

/** If the operator has removed an owner's role from the table, the strictest remaining one applies. */
export function limitsOf(roles: AccountRoles, role: string): RoleLimits {
  const own = Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (own) return own;
  const [strictest] = Object.values(roles).sort(
    (a, b) => a.requestsPerMinute - b.requestsPerMinute,
  );
  return strictest ?? { requestsPerMinute: 60, questions: 0, enrichments: 0, storageBytes: 0 };
}

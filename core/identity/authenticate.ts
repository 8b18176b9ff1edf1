import type { Directory } from '../../ports/directory.ts';
import type { AccountRoles, RoleLimits } from '../../ports/identity.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Caller } from '../shared/caller.ts';
import { notAuthenticated } from './errors.ts';
import { parseBearer } from './token-format.ts';

export interface AuthenticateDeps {
  readonly directory: Directory;
  readonly digests: SecretDigest;
  readonly clock: Clock;
  readonly roles: AccountRoles;
}

/**
 * The identity of a bearer token. Looked up on every request, so that a revocation takes effect immediately in every
 * process.
 */
export async function authenticate(
  deps: AuthenticateDeps,
  bearer: string | undefined,
): Promise<Caller> {
  const parsed = bearer === undefined ? undefined : parseBearer(bearer);
  if (!parsed) throw notAuthenticated();
  const known = await deps.directory.identify(parsed.prefix);
  if (!known || !deps.digests.matches(parsed.bearer, known.token.digest)) throw notAuthenticated();
  const { token, owner, tenant } = known;
  if (token.expiresAt !== null && token.expiresAt <= deps.clock.now()) throw notAuthenticated();
  return {
    scope: { tenantId: tenant.id, ownerId: owner.id },
    tenant,
    owner,
    token,
    limits: limitsOf(deps.roles, owner.role),
  };
}

/** For work that outlives a request: ends with `unauthorized` once the token is revoked or has expired. */
export async function requireToken(
  deps: Pick<AuthenticateDeps, 'directory' | 'clock'>,
  { token: { id, prefix } }: Pick<Caller, 'token'>,
): Promise<void> {
  const known = await deps.directory.identify(prefix);
  if (known?.token.id !== id) throw notAuthenticated();
  const { expiresAt } = known.token;
  if (expiresAt !== null && expiresAt <= deps.clock.now()) throw notAuthenticated();
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

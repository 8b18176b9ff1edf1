import type { Directory } from '../../ports/directory.ts';
import type { AccountRoles, Accounts, Owner, Tenant } from '../../ports/identity.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import { OPERATOR, recordSecurityEvent } from '../security-events/index.ts';
import { DomainError } from '../shared/errors.ts';
import { scopeOf } from '../shared/owner-scope.ts';
import { tokenRevoked } from './token-events.ts';
import { issueToken, type IssuedToken, type NewToken, type TokenDeps } from './tokens.ts';

export interface AccountDeps extends TokenDeps {
  readonly accounts: Accounts;
  readonly directory: Directory;
  readonly roles: AccountRoles;
  readonly random: RandomSource;
  readonly clock: Clock;
  readonly uow: TokenDeps['uow'];
}

/** An operator's command cannot be executed; the message is for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

export const DEFAULT_ROLE = 'unlimited';

const UNLIMITED = {
  requestsPerMinute: 6000,
  questions: null,
  enrichments: null,
  storageBytes: null,
};

/** Interface defaults for an installation without a roles file. */
export const BUILT_IN_ROLES: AccountRoles = {
  unlimited: UNLIMITED,
  pro: { requestsPerMinute: 600, questions: 2000, enrichments: 5000, storageBytes: 100 * 2 ** 30 },
  free: { requestsPerMinute: 60, questions: 50, enrichments: 200, storageBytes: 2 ** 30 },
  operator: { ...UNLIMITED, isOperator: true },
};

export async function createTenant(deps: AccountDeps, name: string): Promise<Tenant> {
  const tenant = { id: deps.random.uuid(), name: plainName(name), createdAt: deps.clock.now() };
  if (!(await deps.accounts.addTenant(tenant)))
    throw new OperatorError(`There is already a tenant named ${JSON.stringify(tenant.name)}.`);
  return tenant;
}

/** A new owner with a first token of full access. */
export async function createOwner(
  deps: AccountDeps,
  input: { readonly name: string; readonly tenant: string; readonly role?: string },
): Promise<{ readonly owner: Owner; readonly first: IssuedToken }> {
  const role = input.role ?? DEFAULT_ROLE;
  if (!Object.hasOwn(deps.roles, role))
    throw new OperatorError(
      `There is no role ${JSON.stringify(role)}; there are ${Object.keys(deps.roles).join(', ')}.`,
    );
  const tenant = await deps.accounts.findTenant(input.tenant);
  if (!tenant) throw new OperatorError(`There is no tenant ${JSON.stringify(input.tenant)}.`);
  const owner: Owner = {
    id: deps.random.uuid(),
    tenantId: tenant.id,
    name: plainName(input.name),
    role,
    createdAt: deps.clock.now(),
  };
  await deps.accounts.addOwner(owner);
  return { owner, first: await issueToken(deps, scopeOf(owner), { name: 'first' }) };
}

export async function listOwners(
  deps: Pick<AccountDeps, 'accounts'>,
  { limit, offset }: PageRequest,
): Promise<Page<Owner>> {
  return deps.accounts.listOwners(limit, offset);
}

export async function issueTokenFor(
  deps: AccountDeps,
  ownerId: string,
  input: NewToken,
): Promise<IssuedToken> {
  const scope = await deps.directory.ownerScope(ownerId);
  if (!scope) throw new OperatorError(`There is no owner ${JSON.stringify(ownerId)}.`);
  if (input.access && input.scopes)
    throw new OperatorError('A token has either an access or scopes, not both.');
  try {
    return await issueToken(deps, scope, { ...input, name: plainName(input.name) });
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found')
      throw new OperatorError('A folder of the token does not exist.');
    throw error;
  }
}

export async function revokeTokenByPrefix(deps: AccountDeps, prefix: string): Promise<void> {
  const known = await deps.directory.identify(prefix);
  if (!known)
    throw new OperatorError(`There is no token with the prefix ${JSON.stringify(prefix)}.`);
  await deps.uow.write(scopeOf(known.owner), async (stores) => {
    // Revoked by its owner since.
    if (!(await stores.tokens.remove(known.token.id))) return;
    await recordSecurityEvent(deps, stores, OPERATOR, tokenRevoked(known.token));
  });
}

function plainName(name: string): string {
  const plain = name.normalize('NFC').trim();
  // eslint-disable-next-line no-control-regex -- control characters are what this refuses
  if (plain === '' || [...plain].length > 100 || /[\u0000-\u001f\u007f]/.test(plain))
    throw new OperatorError('A name has 1 to 100 characters, none of them a control character.');
  return plain;
}

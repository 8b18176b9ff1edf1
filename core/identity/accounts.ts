import type { Directory } from '../../ports/directory.ts';
import type { AccountRoles, Accounts, Owner, Tenant } from '../../ports/identity.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { issueToken, type IssuedToken, type NewToken, type TokenDeps } from './tokens.ts';

export interface AccountDeps extends TokenDeps {
  readonly accounts: Accounts;
  readonly directory: Directory;
  readonly roles: AccountRoles;
  readonly random: RandomSource;
  readonly clock: Clock;
  readonly uow: UnitOfWork<'tokens' | 'idempotency'>;
}

/** An operator's command cannot be executed; the message is for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

export const DEFAULT_ROLE = 'unlimited';

/** Interface defaults for an installation without a roles file. */
export const BUILT_IN_ROLES: AccountRoles = {
  unlimited: { requestsPerMinute: 6000, questions: null, enrichments: null, storageBytes: null },
  pro: { requestsPerMinute: 600, questions: 2000, enrichments: 5000, storageBytes: 100 * 2 ** 30 },
  free: { requestsPerMinute: 60, questions: 50, enrichments: 200, storageBytes: 2 ** 30 },
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
  const scope = { tenantId: tenant.id, ownerId: owner.id };
  return { owner, first: await issueToken(deps, scope, { name: 'first' }) };
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
  return issueToken(deps, scope, { ...input, name: plainName(input.name) });
}

export async function revokeTokenByPrefix(deps: AccountDeps, prefix: string): Promise<void> {
  const known = await deps.directory.identify(prefix);
  if (!known)
    throw new OperatorError(`There is no token with the prefix ${JSON.stringify(prefix)}.`);
  const scope = { tenantId: known.tenant.id, ownerId: known.owner.id };
  await deps.uow.write(scope, ({ tokens }) => tokens.remove(known.token.id));
}

function plainName(name: string): string {
  const plain = name.normalize('NFC').trim();
  // eslint-disable-next-line no-control-regex -- control characters are what this refuses
  if (plain === '' || [...plain].length > 100 || /[\u0000-\u001f\u007f]/.test(plain))
    throw new OperatorError('A name has 1 to 100 characters, none of them a control character.');
  return plain;
}

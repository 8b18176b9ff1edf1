import type { Account, Directory } from '../../ports/directory.ts';
import type { OidcSubject } from '../../ports/identity-provider.ts';
import type { AccountRoles, Accounts, Owner } from '../../ports/identity.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import { DEFAULT_ROLE } from '../identity/index.ts';

const MAX_NAME_LENGTH = 100;
const UNNAMED = 'Unnamed';

export interface OidcAccountDeps {
  readonly accounts: Pick<Accounts, 'addLinkedOwner' | 'findTenant' | 'setRole'>;
  readonly directory: Pick<Directory, 'accountOfSubject'>;
  readonly roles: AccountRoles;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** The tenant in which an unknown subject gets an owner; null for none. */
  readonly oidcTenantId: string | null;
}

/**
 * The account of a subject. An unknown subject gets an owner if the operator wants that: owner and link are stored together,
 * so of concurrent sign-ins one creates the owner, and the others find it. The role follows the claim at every sign-in.
 */
export async function accountOf(
  deps: OidcAccountDeps,
  subject: OidcSubject,
): Promise<Account | undefined> {
  const find = () => deps.directory.accountOfSubject(subject.issuer, subject.subject);
  const known = await find();
  if (known) return withRole(deps, known, roleOf(deps, subject));
  const created = await provision(deps, subject);
  if (created !== 'known') return created;
  const concurrent = await find();
  return concurrent && withRole(deps, concurrent, roleOf(deps, subject));
}

async function provision(
  deps: OidcAccountDeps,
  subject: OidcSubject,
): Promise<Account | undefined | 'known'> {
  const { accounts, clock, random, oidcTenantId } = deps;
  if (oidcTenantId === null) return undefined;
  const tenant = await accounts.findTenant(oidcTenantId);
  // Another tenant may have this id as its name.
  if (tenant?.id !== oidcTenantId) return undefined;
  const owner: Owner = {
    id: random.uuid(),
    tenantId: tenant.id,
    name: toOwnerName(subject.name),
    role: roleOf(deps, subject) ?? DEFAULT_ROLE,
    createdAt: clock.now(),
  };
  const link = {
    issuer: subject.issuer,
    subject: subject.subject,
    linkedAt: owner.createdAt,
  };
  return (await accounts.addLinkedOwner(owner, link)) ? { owner, tenant } : 'known';
}

/** The first role of the operator's table that the provider names; undefined if it names none of them. */
const roleOf = ({ roles }: Pick<OidcAccountDeps, 'roles'>, subject: OidcSubject) =>
  Object.keys(roles).find((role) => subject.roles.includes(role));

async function withRole(
  { accounts }: Pick<OidcAccountDeps, 'accounts'>,
  { owner, tenant }: Account,
  role: string | undefined,
): Promise<Account> {
  if (role === undefined || role === owner.role) return { owner, tenant };
  await accounts.setRole(owner.id, role);
  return { owner: { ...owner, role }, tenant };
}

/** A name as the command line accepts it, made of what the provider sends. */
export function toOwnerName(name: string | null): string {
  const plain = (name ?? '')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .normalize('NFC')
    // eslint-disable-next-line no-control-regex -- control characters are what this replaces
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return [...plain].slice(0, MAX_NAME_LENGTH).join('').trim() || UNNAMED;
}

import type { Instant } from './time-and-ids.ts';

export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
}

export interface Owner {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Names an entry of the account roles. */
  readonly role: string;
  readonly createdAt: Instant;
}

export type TokenAccess = 'full' | 'read';

/** A bearer token as it is kept: the secret itself only as a digest. */
export interface Token {
  readonly id: string;
  readonly name: string;
  /** The public eight characters, unique over all owners. */
  readonly prefix: string;
  readonly digest: string;
  readonly access: TokenAccess;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
}

/**
 * The bearer tokens of one owner.
 *
 * Contract (contract-tests/suites/token-store.ts):
 * - A token that was added is found by its id and listed newest first; one that was removed is neither.
 * - A prefix that is taken, by whichever owner, is refused with the answer `false` and nothing is stored.
 * - `page` cuts the list without gaps or repeats and tells the full total.
 */
export interface TokenStore {
  add(token: Token): Promise<boolean>;
  find(id: string): Promise<Token | undefined>;
  page(limit: number, offset: number): Promise<{ items: readonly Token[]; total: number }>;
  /** Answers whether there was one. */
  remove(id: string): Promise<boolean>;
}

/** What one account role may do. null means without limit. */
export interface RoleLimits {
  readonly requestsPerMinute: number;
  /** Per calendar month in UTC. */
  readonly questions: number | null;
  /** Per calendar month in UTC. */
  readonly enrichments: number | null;
  readonly storageBytes: number | null;
}
export type AccountRoles = Readonly<Record<string, RoleLimits>>;

/**
 * Tenants and owners, as the operator of the service keeps them.
 *
 * Contract (contract-tests/suites/accounts.ts):
 * - A tenant is found by id and by name; a name that is taken is refused with the answer `false`.
 * - An owner is found by id and listed in the order of creation, with the tenant it belongs to.
 */
export interface Accounts {
  addTenant(tenant: Tenant): Promise<boolean>;
  findTenant(idOrName: string): Promise<Tenant | undefined>;
  addOwner(owner: Owner): Promise<void>;
  findOwner(id: string): Promise<Owner | undefined>;
  listOwners(limit: number, offset: number): Promise<{ items: readonly Owner[]; total: number }>;
}

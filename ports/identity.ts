import type { Instant } from './runtime.ts';

export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
}

export interface Owner {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Name of an account role. */
  readonly role: string;
  readonly createdAt: Instant;
}

export type TokenAccess = 'full' | 'read';

/** A stored bearer token; its secret exists only as a digest. */
export interface Token {
  readonly id: string;
  readonly name: string;
  /** The public prefix of eight characters, unique across owners. */
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
 * - A token that was added is found by its id and listed newest first. A removed one is neither.
 * - `add` returns `false` and stores nothing if a token of any owner has the prefix.
 * - `page` divides the list without gaps or duplicates and returns the full total.
 */
export interface TokenStore {
  add(token: Token): Promise<boolean>;
  find(id: string): Promise<Token | undefined>;
  page(limit: number, offset: number): Promise<{ items: readonly Token[]; total: number }>;
  /** Returns whether the token existed. */
  remove(id: string): Promise<boolean>;
}

/** The limits of one account role. null means unlimited. */
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
 * Tenants and owners, as managed by the operator.
 *
 * Contract (contract-tests/suites/accounts.ts):
 * - A tenant is found by id and by name. `false` is returned if the name is in use.
 * - An owner is found by id and listed in creation order, with its tenant.
 */
export interface Accounts {
  addTenant(tenant: Tenant): Promise<boolean>;
  findTenant(idOrName: string): Promise<Tenant | undefined>;
  addOwner(owner: Owner): Promise<void>;
  findOwner(id: string): Promise<Owner | undefined>;
  listOwners(limit: number, offset: number): Promise<{ items: readonly Owner[]; total: number }>;
}

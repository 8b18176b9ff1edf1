import type { Instant } from './runtime.ts';
import type { OidcLink } from './sign-in.ts';

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

/** What a token may be limited to. A session has all of them. */
export const TOKEN_SCOPES = [
  'read',
  'write',
  'ask',
  'calendar',
  'shares',
  'connections',
  'account',
] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Maximum number of folders that a token may be bound to. */
export const MAX_TOKEN_FOLDERS = 50;

/** A stored bearer token; its secret exists only as a digest. */
export interface Token {
  readonly id: string;
  readonly name: string;
  /** The public prefix of eight characters, unique across owners. */
  readonly prefix: string;
  readonly digest: string;
  readonly access: TokenAccess;
  /** What it was limited to when it was created; null if only `access` decides. */
  readonly scopes: readonly TokenScope[] | null;
  /** The folders it is bound to; null if it sees everything. */
  readonly folderIds: readonly string[] | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  /** Rounded down to the minute; null before the first use. */
  readonly lastUsedAt: Instant | null;
  /** The network of the last use: see `networkOf` of `core/shared/network.ts`. */
  readonly lastUsedNetwork: string | null;
}

/**
 * The bearer tokens of one owner.
 *
 * Contract (contract-tests/suites/token-store.ts):
 * - A token that was added is found by its id and listed newest first. A removed one is neither.
 * - `add` returns `false` and stores nothing if a token of any owner has the prefix.
 * - `page` divides the list without gaps or duplicates and returns the full total.
 * - `recordUse` stores the last use of a token, and changes nothing for a missing one.
 */
export interface TokenStore {
  add(token: Token): Promise<boolean>;
  find(id: string): Promise<Token | undefined>;
  page(limit: number, offset: number): Promise<{ items: readonly Token[]; total: number }>;
  /** Returns whether the token existed. */
  remove(id: string): Promise<boolean>;
  recordUse(id: string, at: Instant, network: string): Promise<void>;
}

/** The limits of one account role. null means unlimited. */
export interface RoleLimits {
  readonly requestsPerMinute: number;
  /** Per calendar month in UTC. */
  readonly questions: number | null;
  /** Per calendar month in UTC. */
  readonly enrichments: number | null;
  readonly storageBytes: number | null;
  /** Whether owners with the role may see the state of the installation. */
  readonly isOperator?: true;
}
export type AccountRoles = Readonly<Record<string, RoleLimits>>;

/**
 * Tenants and owners, as managed by the operator.
 *
 * Contract (contract-tests/suites/accounts.ts):
 * - A tenant is found by id and by name. `false` is returned if the name is in use.
 * - An owner is found by id and listed in creation order, with its tenant.
 * - `addLinkedOwner` stores an owner together with its account of an identity provider, for one of any number of
 *   concurrent callers. `false` is returned, and nothing stored, if an owner has the subject.
 * - `setRole` changes the role of an owner, and nothing for a missing one.
 */
export interface Accounts {
  addTenant(tenant: Tenant): Promise<boolean>;
  findTenant(idOrName: string): Promise<Tenant | undefined>;
  addOwner(owner: Owner): Promise<void>;
  addLinkedOwner(owner: Owner, link: OidcLink): Promise<boolean>;
  setRole(ownerId: string, role: string): Promise<void>;
  findOwner(id: string): Promise<Owner | undefined>;
  listOwners(limit: number, offset: number): Promise<{ items: readonly Owner[]; total: number }>;
}

import type { Bot, BotState, OwnedBot } from './bots.ts';
import type { Owner, Tenant, Token } from './identity.ts';
import type { Page, PageRequest } from './paging.ts';
import type { BlobCopy } from './blob-locations.ts';
import type { Instant } from './runtime.ts';
import type { Passkey, Session } from './sign-in.ts';
import type { OwnerScope } from './unit-of-work.ts';

export interface TokenIdentity {
  readonly token: Token;
  readonly owner: Owner;
  readonly tenant: Tenant;
}

export interface SessionIdentity {
  readonly session: Session;
  readonly owner: Owner;
  readonly tenant: Tenant;
}

export interface Account {
  readonly owner: Owner;
  readonly tenant: Tenant;
}

/** From when on sessions and security events are no longer stored. */
export interface AccessExpiry {
  readonly sessionsBefore: Instant;
  readonly unusedSince: Instant;
  readonly eventsBefore: Instant;
}

/** Maximum number of accounts with the same name that a password is compared with. */
export const MAX_ACCOUNTS_OF_NAME = 8;

/** A blob's copies, and their owner. */
export interface OwnerBlobCopies {
  readonly scope: OwnerScope;
  readonly copies: readonly BlobCopy[];
}

/** Only these kinds, or all but these. */
export type TaskKinds = { readonly only: readonly string[] } | { readonly but: readonly string[] };

/**
 * The only lookups across owners. Each returns a scope or an identity. No owner's data is read or changed through it.
 *
 * Contract (contract-tests/suites/directory.ts):
 * - A token is found by its prefix together with its owner and tenant, immediately after it was added and never after
 *   it was removed.
 * - A session is found by the digest of its secret together with its owner and tenant, immediately after it was saved
 *   and never after it was removed.
 * - `accountsWithPassword` returns the accounts of any tenant that have a password and this name, compared by
 *   `foldName`, earliest password first, then by owner, at most `MAX_ACCOUNTS_OF_NAME`.
 * - `maxAccountsOfName` returns the largest number of accounts with a password that have the same name, at most
 *   `MAX_ACCOUNTS_OF_NAME`.
 * - `passkeyOwner` returns a passkey of any owner by its credential id, with its account.
 * - `accountOfSubject` returns the account that is linked to a subject of an OpenID Connect issuer.
 * - `account` returns an owner with its tenant.
 * - `ownersWithExpiredAccess` returns the scopes of owners with sessions that expired before a moment or were last used
 *   before another, or with a first security event, of several, from before a third, each once, at most `limit`.
 * - `ownersWithUnsealedHashes` returns the scopes of owners with a PIN or the password of a share whose hash is not sealed,
 *   each once, at most `limit`.
 * - `dueTasks` returns waiting tasks that are due, and running ones with an expired lease, longest due first, at most
 *   `limit`, of the requested kinds.
 * - `ownerOfTask` returns the scope of a task of any owner.
 * - `strayBlobs` returns those of the ids that no content, no thumbnail and no copy with the service of any owner
 *   uses.
 * - `copiesOf` returns all copies of a blob of any owner, and nothing if it has none.
 * - `strayCopies` returns blobs of any owner with a copy older than the moment that is not `current`, or that no
 *   content uses, at most `limit`, by id, after one.
 * - `expiredTrash` returns objects of any owner that were trashed before the moment, oldest first, at most `limit`.
 * - `ownersWithExpiredReceipts` returns the scopes of owners with idempotency records that expire before the moment,
 *   each once, at most `limit`.
 * - `ownersWithExpiredUndos` returns the scopes of owners with undos of the agent that expire before the moment, each once,
 *   at most `limit`.
 * - `ownersWithIdleUploads` returns the scopes of owners with uploads without progress since before the moment, each once,
 *   at most `limit`.
 * - `dueReminders` returns events of any owner whose next reminder is due, longest due first, at most `limit`.
 * - `calendarOfFeed` returns the scope of the owner whose calendar feed has a secret with this digest.
 * - `ownerOfReferralCode` returns the scope of the owner who has the code.
 * - `ownerOfShare` returns the share whose token has this digest, and its owner, immediately after it was saved and
 *   never after it was removed.
 * - `botById` returns a bot of any owner with its scope, and nothing after it was removed.
 * - `botsOfTenant` returns the bots of all owners of a tenant, newest first, then by id, descending, with their
 *   total.
 * - `anyBot` returns whether any bot exists.
 * - `botTroubles` returns the states of all bots that have a reason for their state, of any owner, each once.
 */
export interface Directory {
  identify(prefix: string): Promise<TokenIdentity | undefined>;
  identifySession(digest: string): Promise<SessionIdentity | undefined>;
  accountsWithPassword(
    name: string,
  ): Promise<readonly (Account & { readonly sealedHash: string })[]>;
  maxAccountsOfName(): Promise<number>;
  passkeyOwner(
    credentialId: string,
  ): Promise<(Account & { readonly passkey: Passkey }) | undefined>;
  accountOfSubject(issuer: string, subject: string): Promise<Account | undefined>;
  account(ownerId: string): Promise<Account | undefined>;
  ownersWithExpiredAccess(expiry: AccessExpiry, limit: number): Promise<readonly OwnerScope[]>;
  ownersWithUnsealedHashes(limit: number): Promise<readonly OwnerScope[]>;
  ownerScope(ownerId: string): Promise<OwnerScope | undefined>;
  dueTasks(
    now: Instant,
    limit: number,
    kinds?: TaskKinds,
  ): Promise<readonly { readonly id: string; readonly kind: string }[]>;
  ownerOfTask(taskId: string): Promise<OwnerScope | undefined>;
  strayBlobs(blobIds: readonly string[]): Promise<readonly string[]>;
  copiesOf(blobId: string): Promise<OwnerBlobCopies | undefined>;
  strayCopies(
    before: Instant,
    after: string | null,
    limit: number,
  ): Promise<readonly { readonly scope: OwnerScope; readonly blobId: string }[]>;
  expiredTrash(
    before: Instant,
    limit: number,
  ): Promise<readonly { readonly scope: OwnerScope; readonly objectId: string }[]>;
  ownersWithExpiredReceipts(before: Instant, limit: number): Promise<readonly OwnerScope[]>;
  ownersWithExpiredUndos(before: Instant, limit: number): Promise<readonly OwnerScope[]>;
  ownersWithIdleUploads(before: Instant, limit: number): Promise<readonly OwnerScope[]>;
  dueReminders(
    now: Instant,
    limit: number,
  ): Promise<readonly { readonly scope: OwnerScope; readonly eventId: string }[]>;
  calendarOfFeed(digest: string): Promise<OwnerScope | undefined>;
  ownerOfReferralCode(code: string): Promise<OwnerScope | undefined>;
  ownerOfShare(
    digest: string,
  ): Promise<{ readonly shareId: string; readonly owner: Owner } | undefined>;
  botById(botId: string): Promise<{ readonly bot: Bot; readonly scope: OwnerScope } | undefined>;
  botsOfTenant(tenantId: string, request: PageRequest): Promise<Page<OwnedBot>>;
  anyBot(): Promise<boolean>;
  botTroubles(): Promise<readonly BotState[]>;
}

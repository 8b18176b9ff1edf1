import type { Bot, OwnedBot } from './bots.ts';
import type { Owner, Tenant, Token } from './identity.ts';
import type { Page, PageRequest } from './paging.ts';
import type { BlobCopy } from './placements.ts';
import type { Instant } from './time-and-ids.ts';
import type { OwnerScope } from './unit-of-work.ts';

export interface Identified {
  readonly token: Token;
  readonly owner: Owner;
  readonly tenant: Tenant;
}

/** Of these kinds, or of all but these. */
/** A blob's copies, and whose they are. */
export interface OwnedCopies {
  readonly scope: OwnerScope;
  readonly copies: readonly BlobCopy[];
}

export type TaskKinds = { readonly only: readonly string[] } | { readonly but: readonly string[] };

/**
 * The only look-ups that reach across owners. Each answers with a scope or with an identity; nothing is read or
 * changed through it.
 *
 * Contract (contract-tests/suites/directory.ts):
 * - A token is found by its prefix together with its owner and tenant, at once after it was added and never after it was removed.
 * - `dueTasks` gives tasks that wait and are due, and running ones whose lease ran out, the longest due first, at most `limit`, of the kinds asked for.
 * - `ownerOfTask` gives the scope of a task of whichever owner.
 * - `strayBlobs` gives those of the ids that no content, no thumbnail and no copy with the service of any owner uses.
 * - `copiesOf` gives all copies of a blob of whichever owner, and nothing where it has none.
 * - `strayCopies` gives blobs of whichever owner with a copy from before the moment that is not `current`, or that no content uses, at most `limit`, by their ids after one.
 * - `expiredTrash` gives objects of any owner that went into the trash before the moment, oldest first, at most `limit`.
 * - `ownersWithExpiredReceipts` returns the scopes of owners with receipts that expire before the moment, each once, at most `limit`.
 * - `dueReminders` gives events of any owner whose next reminder is due, the longest due first, at most `limit`.
 * - `calendarOfFeed` gives the scope of the owner whose calendar is subscribed to under a secret of this digest.
 * - `ownerOfReferralCode` gives the scope of the owner who has the code.
 * - `ownerOfShare` gives the share whose token has this digest, and its owner, at once after it was saved and never after it was removed.
 * - `botById` gives a bot of whichever owner with its scope, and nothing after it was removed.
 * - `botsOfTenant` gives the bots of all owners of a tenant, newest first, then by id, descending, and tells their total.
 * - `anyBot` tells whether there is a bot at all.
 */
export interface Directory {
  identify(prefix: string): Promise<Identified | undefined>;
  ownerScope(ownerId: string): Promise<OwnerScope | undefined>;
  dueTasks(
    now: Instant,
    limit: number,
    kinds?: TaskKinds,
  ): Promise<readonly { readonly id: string; readonly kind: string }[]>;
  ownerOfTask(taskId: string): Promise<OwnerScope | undefined>;
  strayBlobs(blobIds: readonly string[]): Promise<readonly string[]>;
  copiesOf(blobId: string): Promise<OwnedCopies | undefined>;
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
}

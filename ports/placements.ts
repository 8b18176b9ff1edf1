import type { Content } from './contents.ts';
import type { Instant } from './time-and-ids.ts';

export const PLACES = ['service', 'own'] as const;
/** The storage of the service, or the bucket that an owner has connected. */
export type Place = (typeof PLACES)[number];

export const COPY_STATES = ['coming', 'here', 'leaving'] as const;
/** Being written and read by nobody; what readers are given; read by nobody any more and about to be removed. */
export type CopyState = (typeof COPY_STATES)[number];

/**
 * Where the bytes of a blob lie. A blob without any copy that is `here` lies with the service under its own id; no blob
 * has two. A row is there before its bytes and goes after them, so that a crash leaves no bytes that nobody knows of in
 * a bucket which the service does not list.
 */
export interface BlobCopy {
  /** The id of the bytes in their place. It is never used again, so a late delete can not hit a later copy. */
  readonly storedAs: string;
  readonly blobId: string;
  readonly place: Place;
  readonly state: CopyState;
  readonly createdAt: Instant;
}

/** Of a stretch of contents, in the order of their hashes, those that do not lie in a place. */
export interface ContentsElsewhere {
  readonly contents: readonly Content[];
  /** The last hash of the stretch; null where there is none behind it. */
  readonly next: string | null;
}

/**
 * Where the bytes of one owner lie.
 *
 * Contract (contract-tests/suites/placement-store.ts):
 * - `save` inserts or replaces a copy by the id it is stored as; `copiesOf` gives those of a blob, field for field, by that id.
 * - `forget` takes one copy away and no other.
 * - `ownCopies` tells whether anything lies in the owner's bucket or is on its way there or from it.
 * - `elsewhere` gives the contents that do not lie in the place, in the order of their hashes, of the next so many after one, and tells where to go on.
 * - `unsettled` gives copies that leave, and copies that come of a blob that lies somewhere already, oldest first, at most so many.
 * - Another owner's copies are out of reach.
 */
export interface PlacementStore {
  save(copy: BlobCopy): Promise<void>;
  copiesOf(blobId: string): Promise<readonly BlobCopy[]>;
  forget(storedAs: string): Promise<void>;
  ownCopies(): Promise<boolean>;
  elsewhere(place: Place, after: string | null, limit: number): Promise<ContentsElsewhere>;
  unsettled(limit: number): Promise<readonly BlobCopy[]>;
}

import type { Content } from './contents.ts';
import type { Instant } from './time-and-ids.ts';

export const PLACES = ['service', 'own'] as const;
/** The storage of the service, or the bucket that an owner has connected. */
export type Place = (typeof PLACES)[number];

/** A bucket whose connection the owner has removed while copies were in it; the id is that of the retired connection. */
export type RetiredPlace = `retired:${string}`;
export type CopyPlace = Place | RetiredPlace;

export const COPY_STATES = ['writing', 'current', 'deleting'] as const;
/** Being written and read by nobody; what readers are given; read by nobody any more and about to be removed. */
export type CopyState = (typeof COPY_STATES)[number];

/**
 * Where the bytes of a blob lie. A blob without any copy that is `current` lies with the service under its own id; no blob
 * has two. A row is there before its bytes and goes after them, so that a crash leaves no bytes that nobody knows of in
 * a bucket which the service does not list.
 */
export interface BlobCopy {
  /** The id of the bytes in their place. It is never used again, so a late delete can not hit a later copy. */
  readonly storedAs: string;
  readonly blobId: string;
  readonly location: CopyPlace;
  readonly state: CopyState;
  readonly createdAt: Instant;
}

/** Contents that do not lie in a place, of a stretch of contents or of objects, in the order of their hashes. */
export interface ContentsElsewhere {
  readonly contents: readonly Content[];
  /** The last hash, or object, of the stretch; null where there is none behind it. */
  readonly next: string | null;
}

/**
 * Where the bytes of one owner lie.
 *
 * Contract (contract-tests/suites/placement-store.ts):
 * - `save` inserts or replaces a copy by the id it is stored as; `copiesOf` gives those of a blob, field for field, by that id.
 * - `forget` takes one copy away and no other.
 * - `ownCopies` tells whether anything lies in the owner's bucket or is on its way there or from it.
 * - `holdsCopies` returns whether a place holds any copy, in any state.
 * - `relocate` assigns another place to every copy in one place, and to no other copy.
 * - `contentsIn` returns contents whose bytes are read from a place, at most `limit`.
 * - `elsewhere` gives the contents that do not lie in the place, in the order of their hashes, of the next so many after one, and tells where to go on.
 * - `elsewhereInSight` gives those of them that objects which are not hidden hold as a version or a link's picture, of the next so many objects after one, and tells where to go on.
 * - `unsettled` gives copies that leave, and copies that come of a blob that lies somewhere already, oldest first, at most so many.
 * - Another owner's copies are out of reach.
 */
export interface PlacementStore {
  save(copy: BlobCopy): Promise<void>;
  copiesOf(blobId: string): Promise<readonly BlobCopy[]>;
  forget(storedAs: string): Promise<void>;
  ownCopies(): Promise<boolean>;
  holdsCopies(place: CopyPlace): Promise<boolean>;
  relocate(from: CopyPlace, to: CopyPlace): Promise<void>;
  contentsIn(place: CopyPlace, limit: number): Promise<readonly Content[]>;
  elsewhere(place: Place, after: string | null, limit: number): Promise<ContentsElsewhere>;
  /** `after` and `next` are ids of objects. */
  elsewhereInSight(place: Place, after: string | null, limit: number): Promise<ContentsElsewhere>;
  unsettled(limit: number): Promise<readonly BlobCopy[]>;
}

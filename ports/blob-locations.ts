import type { Content } from './contents.ts';
import type { Instant } from './runtime.ts';

export const STORAGE_LOCATIONS = ['service', 'own'] as const;
/** The storage of the service, or the bucket that an owner has connected. */
export type StorageLocation = (typeof STORAGE_LOCATIONS)[number];

/**
 * A bucket whose connection the owner removed while it still had copies; the id is that of the retired connection.
 */
export type RetiredLocation = `retired:${string}`;
export type CopyLocation = StorageLocation | RetiredLocation;

export const COPY_STATES = ['writing', 'current', 'deleting'] as const;
/** `writing`: not read yet. `current`: read by clients. `deleting`: not read any more and about to be removed. */
export type CopyState = (typeof COPY_STATES)[number];

/**
 * Location of one copy of a blob. A blob without a `current` copy is in the service's storage under its own id. No
 * blob has two current copies. The row is inserted before the bytes are written and deleted after them, so that a
 * crash leaves no unknown bytes in a bucket, which the service does not list.
 */
export interface BlobCopy {
  /** The id of the bytes in their location. It is never reused, so a late delete cannot hit a later copy. */
  readonly copyId: string;
  readonly blobId: string;
  readonly location: CopyLocation;
  readonly state: CopyState;
  readonly createdAt: Instant;
}

/** Contents stored outside a location, for a range of contents or objects, in hash order. */
export interface MisplacedContents {
  readonly contents: readonly Content[];
  /** The last hash, or object, of the range; null if none follows. */
  readonly next: string | null;
}

/**
 * Where the bytes of one owner are stored.
 *
 * Contract (contract-tests/suites/blob-location-store.ts):
 * - `save` inserts or replaces a copy by its copy id. `copiesOf` returns those of a blob, field for field, by that
 *   id.
 * - `forget` removes one copy only.
 * - `hasOwnerCopies` returns whether the owner's bucket contains any blob, or a copy is in progress to or from it.
 * - `hasCopies` returns whether a location has any copy, in any state.
 * - `relocate` assigns another location to every copy in one location, and to no other copy.
 * - `contentsIn` returns contents whose bytes are read from a location, at most `limit`.
 * - `misplacedContents` returns the contents outside the location, in hash order, within a limited range after one, and where
 *   to continue.
 * - `misplacedVisibleContents` returns those of them that visible objects use as a version or preview image, within a limited
 *   range of objects, and where to continue.
 * - `incompleteCopies` returns copies in state `deleting`, and copies in state `writing` of a blob that is stored already,
 *   oldest first, limited in number.
 * - Another owner's copies are out of reach.
 */
export interface BlobLocationStore {
  save(copy: BlobCopy): Promise<void>;
  copiesOf(blobId: string): Promise<readonly BlobCopy[]>;
  forget(copyId: string): Promise<void>;
  hasOwnerCopies(): Promise<boolean>;
  hasCopies(place: CopyLocation): Promise<boolean>;
  relocate(from: CopyLocation, to: CopyLocation): Promise<void>;
  contentsIn(place: CopyLocation, limit: number): Promise<readonly Content[]>;
  misplacedContents(
    place: StorageLocation,
    after: string | null,
    limit: number,
  ): Promise<MisplacedContents>;
  /** `after` and `next` are ids of objects. */
  misplacedVisibleContents(
    place: StorageLocation,
    after: string | null,
    limit: number,
  ): Promise<MisplacedContents>;
  incompleteCopies(limit: number): Promise<readonly BlobCopy[]>;
}

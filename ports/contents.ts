import type { ObjectKind } from './text-extraction.ts';
import type { Instant } from './runtime.ts';

/** Bytes stored for one owner, once per SHA-256, with a reference count. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
  readonly blobId: string;
}

/**
 * The stored contents of an owner and their reference counts.
 *
 * Contract (contract-tests/suites/content-store.ts):
 * - The first `retain` of a hash stores the given blob. A later one returns the blob stored already.
 * - `release` returns the blob when the last reference is removed, and nothing before. If the hash is retained again,
 *   the new blob is stored.
 * - `find` returns the content with a hash, or nothing.
 * - `retained` returns which of the hashes are stored.
 * - `usedBytes` is the sum of the stored sizes, each hash counted once.
 * - `hiddenBytes` is the part of it that only versions and previews of hidden objects refer to, in the trash or not.
 * - Both include corrected texts, by their length in UTF-8.
 */
export interface ContentStore {
  retain(offered: Content): Promise<Content>;
  release(sha256: string): Promise<string | undefined>;
  find(sha256: string): Promise<Content | undefined>;
  retained(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  usedBytes(): Promise<number>;
  hiddenBytes(): Promise<number>;
}

export type VersionOrigin = 'upload' | 'inbox' | 'save' | 'image' | 'office' | 'restore';

/** One version of an object's content. Each holds a reference to its bytes. */
export interface ObjectVersion {
  readonly objectId: string;
  readonly version: number;
  readonly kind: ObjectKind;
  readonly mime: string;
  readonly format: string;
  readonly size: number;
  readonly sha256: string;
  readonly blobId: string;
  readonly origin: VersionOrigin;
  readonly createdAt: Instant;
}

/**
 * The versions of each object, the current one included.
 *
 * Contract (contract-tests/suites/version-store.ts):
 * - `page` lists an object's versions newest first with the full total. `find` returns one of them, field for field.
 * - `removeAll` removes every version of the object and returns them, so that their bytes can be released.
 */
export interface VersionStore {
  add(version: ObjectVersion): Promise<void>;
  find(objectId: string, version: number): Promise<ObjectVersion | undefined>;
  page(
    objectId: string,
    limit: number,
    offset: number,
  ): Promise<{ items: readonly ObjectVersion[]; total: number }>;
  removeAll(objectId: string): Promise<readonly ObjectVersion[]>;
}

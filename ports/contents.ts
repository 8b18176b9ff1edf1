import type { ObjectKind } from './text-extraction.ts';
import type { Instant } from './time-and-ids.ts';

/** Bytes that one owner keeps, once for each SHA-256, however many versions refer to them. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
  readonly blobId: string;
}

/**
 * Which bytes an owner keeps and how often they are referred to.
 *
 * Contract (contract-tests/suites/content-store.ts):
 * - The first `retain` of a hash takes the blob offered; a later one answers with the blob already there.
 * - `release` answers with the blob when the last reference went, and with nothing before; a hash retained anew afterwards takes the new blob.
 * - `find` gives what is kept of a hash, or nothing.
 * - `held` tells which of the hashes are kept.
 * - `usedBytes` is the sum of the sizes of what is kept, each hash counted once.
 * - `hiddenBytes` is the part of it that only versions and previews of hidden objects refer to, in the trash or not.
 */
export interface ContentStore {
  retain(offered: Content): Promise<Content>;
  release(sha256: string): Promise<string | undefined>;
  find(sha256: string): Promise<Content | undefined>;
  held(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  usedBytes(): Promise<number>;
  hiddenBytes(): Promise<number>;
}

export type VersionOrigin = 'upload' | 'save' | 'image' | 'office' | 'restore';

/** One content an object has or had. Each holds a reference to its bytes. */
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
 * The contents of each object, the current one included.
 *
 * Contract (contract-tests/suites/version-store.ts):
 * - `page` lists an object's versions newest first with the full total; `find` gives one of them, field for field.
 * - `removeAll` takes every version of the object away and answers with them, so that their bytes can be released.
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

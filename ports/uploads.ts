import type { Instant } from './runtime.ts';

/** `open`: waits for bytes. `finished`: its object exists. `expired`: its parts are removed. */
export const UPLOAD_STATES = ['open', 'finished', 'expired'] as const;
export type UploadState = (typeof UPLOAD_STATES)[number];

export const ON_DUPLICATE = ['keep', 'return', 'reject'] as const;
/** What happens to a file whose bytes the owner has already: see `POST /v1/uploads`. */
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

/** A file that arrives in several requests. */
export interface PartialUpload {
  readonly id: string;
  readonly filename: string;
  /** `Upload-Metadata` as the client sent it; '' without it. */
  readonly metadata: string;
  readonly collectionId: string | null;
  readonly onDuplicate: OnDuplicate;
  /** The folders above the file in the client, joined by `/`; '' without any. */
  readonly folderPath: string;
  /** The run that places the files of one folder drop; null without folders. */
  readonly dropId: string | null;
  /** The normalized name of the top folder of the drop; '' without folders. */
  readonly dropName: string;
  /** Announced bytes. */
  readonly size: number;
  /** Durable bytes: the sum of its parts, and `size` once it is finished. */
  readonly received: number;
  readonly state: UploadState;
  /** Set if it is finished. */
  readonly objectId: string | null;
  readonly createdAt: Instant;
  /** When it was created, received its last part, or ended. */
  readonly progressAt: Instant;
}

/** Consecutive bytes of an upload. It holds one reference to the owner's content with the hash. */
export interface UploadPart {
  /** Offset of its first byte in the file. */
  readonly start: number;
  readonly size: number;
  readonly sha256: string;
}

/**
 * The resumable uploads of one owner, with the parts that have arrived.
 *
 * Contract (contract-tests/suites/upload-store.ts):
 * - `save` inserts or replaces an upload, and `find` returns what was saved, field for field.
 * - `addPart` stores a part, and `parts` returns those of an upload in the order of their start.
 * - `removeParts` removes the parts of an upload that start at an offset or behind it, and no others.
 * - `remove` removes one upload with its parts.
 * - `countOpen` counts the open uploads.
 * - `latestDrop` returns the drop of the upload with the latest progress among those of the name that have progressed since
 *   the moment, or nothing.
 * - `idle` returns the uploads without progress since before the moment, longest idle first, at most `limit`.
 * - Another owner's uploads are out of reach.
 */
export interface UploadStore {
  find(id: string): Promise<PartialUpload | undefined>;
  save(upload: PartialUpload): Promise<void>;
  remove(id: string): Promise<void>;
  parts(id: string): Promise<readonly UploadPart[]>;
  addPart(id: string, part: UploadPart): Promise<void>;
  removeParts(id: string, from: number): Promise<void>;
  countOpen(): Promise<number>;
  latestDrop(name: string, since: Instant): Promise<string | undefined>;
  idle(before: Instant, limit: number): Promise<readonly PartialUpload[]>;
}

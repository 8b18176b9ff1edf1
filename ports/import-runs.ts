import type { Instant } from './runtime.ts';

export const IMPORT_KINDS = ['workspace', 'calendar'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];
/** `receiving`: the file arrives. `checking`: it is verified, nothing has changed. `running`: its records are stored. */
export const UNFINISHED_IMPORT_STATES = ['receiving', 'checking', 'running'] as const;
export const IMPORT_STATES = [
  ...UNFINISHED_IMPORT_STATES,
  'done',
  'failed',
  'interrupted',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** An import of one owner, from the first byte of its file to its result. */
export interface ImportRun {
  readonly id: string;
  /** The operation and its path, and the idempotency key of the request. */
  readonly key: string;
  readonly kind: ImportKind;
  /** As sent; '' if none was. */
  readonly filename: string;
  readonly state: ImportState;
  /** Its existence is concealed while the hidden zone is locked. */
  readonly isConcealed: boolean;
  /** Bytes while the file arrives, files of the archive while it is verified, then objects or events. */
  readonly done: number;
  /** null while it is not known. */
  readonly total: number | null;
  /** The result; null before the end, and without success. */
  readonly report: unknown;
  /** Of a failed import: the error code. */
  readonly code: string | null;
  /** An unfinished import whose lease has ended was interrupted: its process died. */
  readonly leaseUntil: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * The imports of one owner.
 *
 * Contract (contract-tests/suites/import-run-store.ts):
 * - `save` inserts or replaces a run, and `find` and `findByKey` return what was saved, field for field.
 * - `newest` returns runs by creation, newest first, at most `limit`.
 * - `removeOld` removes the runs created before a moment and those that are not among the `newest`, and no others.
 * - `remove` removes a run and says whether it existed.
 * - Another owner's runs are out of reach.
 */
export interface ImportRunStore {
  find(id: string): Promise<ImportRun | undefined>;
  findByKey(key: string): Promise<ImportRun | undefined>;
  save(run: ImportRun): Promise<void>;
  newest(limit: number): Promise<readonly ImportRun[]>;
  removeOld(before: Instant, newest: number): Promise<void>;
  remove(id: string): Promise<boolean>;
}

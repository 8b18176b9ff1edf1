import type { ObjectFilter, ObjectPosition } from './objects.ts';
import type { Instant } from './runtime.ts';

export const BULK_ACTIONS = [
  'move',
  'trash',
  'restore',
  'delete',
  'hide',
  'unhide',
  'categorize',
] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
export const BULK_STATES = ['PENDING', 'PROGRESS', 'SUCCESS', 'FAILURE'] as const;
export type BulkState = (typeof BULK_STATES)[number];

/** One action on many objects of an owner. Its id is that of its task, which exists as long as the run. */
export interface BulkRun {
  readonly id: string;
  /** Of an undo: the action that it puts back. */
  readonly action: BulkAction;
  /** Of a move: the folder, null for none. */
  readonly collectionId: string | null;
  readonly categories: readonly string[];
  /** Selects the objects; null if they were sent by id, come from another run, or can not exist. */
  readonly filter: ObjectFilter | null;
  /** Ids that the filter leaves out. */
  readonly except: readonly string[];
  /** The run whose changes it puts back. */
  readonly undoOf: string | null;
  /** It changes objects in the background; otherwise it was completed by its request. */
  readonly isBackground: boolean;
  /** Its existence is concealed while the hidden zone is locked. */
  readonly isConcealed: boolean;
  /** What it may change: with `closed` no hidden object. */
  readonly zone: 'unset' | 'closed' | 'open';
  /** The folders that its caller was bound to, sorted; null for none. */
  readonly folderIds: readonly string[] | null;
  readonly state: BulkState;
  /** All objects are listed as its items: from here on they are changed. */
  readonly isCollected: boolean;
  /** How far the filter has been read. */
  readonly position: ObjectPosition | null;
  /** While objects are listed, the number of the next item; after that, the lowest number of an item to change. */
  readonly nextOrd: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** When it is removed; null until it has ended. */
  readonly expiresAt: Instant | null;
}

/** The fields that an action changes, before or after it. */
export interface BulkFields {
  readonly collectionId?: string | null;
  readonly suggestedCollectionId?: string | null;
  readonly categories?: readonly string[];
  readonly deletedAt?: Instant | null;
  readonly isHidden?: boolean;
}

/** One object of a run. */
export interface BulkItem {
  readonly objectId: string;
  /** Sequence number in its run, from 0. */
  readonly ord: number;
  /** Whether the object is hidden now. */
  readonly isHidden: boolean;
  /** `pending`, `done`, or the error code of the single operation. */
  readonly outcome: string;
  /** What was changed; of a pending item of an undo, what will be. null if nothing. */
  readonly change: { readonly from: BulkFields; readonly to: BulkFields } | null;
}

/** The number of objects of a run with one outcome, in or outside the hidden zone. */
export interface BulkCount {
  readonly isHidden: boolean;
  readonly outcome: string;
  readonly count: number;
}

/**
 * The bulk runs of one owner, each with its items and their counts. Counts outlive their items.
 *
 * Contract (contract-tests/suites/bulk-run-store.ts):
 * - `save` inserts or replaces a run, and `find` returns what was saved, field for field.
 * - `unfinished` counts the pending and running runs of one binding.
 * - `beyond` returns ended runs of one binding that are not among its newest, oldest first, at most `limit`.
 * - `saveItems` inserts or replaces items, and `items` returns those of one outcome in order, after a given one and at
 *   most `limit`.
 * - `addCounts` adds to counts, and `counts` returns all of a run that are not zero.
 * - `setObjectVisibility` changes an object's items and the counts of their runs with them.
 * - `forgetObject` removes the items of an object from every run and leaves the counts.
 * - `removeItems` removes at most `limit` items of a run and returns how many it removed.
 * - `remove` removes a run with its counts, and no other run.
 * - Another owner's runs are out of reach.
 */
export interface BulkRunStore {
  find(id: string): Promise<BulkRun | undefined>;
  save(run: BulkRun): Promise<void>;
  /** Of callers that are bound to these folders, or to none. */
  unfinished(folderIds: readonly string[] | null): Promise<number>;
  /** All but the `newest` ended runs that do or do not run in the background. Runs that expire by `before` are left out. */
  beyond(
    of: Pick<BulkRun, 'folderIds' | 'isBackground'>,
    newest: number,
    before: Instant,
    limit: number,
  ): Promise<readonly BulkRun[]>;
  /** Those whose `ord` is past `after`. */
  items(runId: string, outcome: string, after: number, limit: number): Promise<readonly BulkItem[]>;
  saveItems(runId: string, items: readonly BulkItem[]): Promise<void>;
  removeItems(runId: string, limit: number): Promise<number>;
  counts(runId: string): Promise<readonly BulkCount[]>;
  addCounts(runId: string, counts: readonly BulkCount[]): Promise<void>;
  remove(id: string): Promise<void>;
  setObjectVisibility(objectId: string, isHidden: boolean): Promise<void>;
  forgetObject(objectId: string): Promise<void>;
}

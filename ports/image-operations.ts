import type { ImageOperation } from './image-editor.ts';
import type { Instant } from './time-and-ids.ts';

export const IMAGE_OPERATION_STATES = ['accepted', 'running', 'done', 'failed'] as const;
export type ImageOperationState = (typeof IMAGE_OPERATION_STATES)[number];

/** An operation that was asked for on a picture. Its id is that of its task, once it is its turn. */
export interface PendingImageOperation {
  readonly id: string;
  readonly objectId: string;
  readonly operation: ImageOperation;
  readonly state: ImageOperationState;
  /** Why it failed, or why the picture stays as it is; null otherwise. */
  readonly error: string | null;
  /** Of the object when it was done; null until then, and after a failure. */
  readonly version: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * The operations on the pictures of one owner, those that wait and those that have ended a while ago.
 *
 * Contract (contract-tests/suites/image-operation-store.ts):
 * - `save` inserts or replaces, and `find` gives back what was saved, field for field.
 * - `next` gives the first of an object that has not ended, in the order in which they were first saved, whatever their times and ids.
 * - `waiting` counts those that have not ended, of all objects or of those that are not hidden.
 * - `prune` takes away those that ended and were last changed before the moment, and of those that ended all but the newest ones, of hidden objects and of others each for themselves; what has not ended stays.
 * - `forgetObject` takes away those of one object and no other.
 * - Another owner's operations are out of reach.
 */
export interface ImageOperationStore {
  find(id: string): Promise<PendingImageOperation | undefined>;
  next(objectId: string): Promise<PendingImageOperation | undefined>;
  waiting(sight: 'visible' | 'any'): Promise<number>;
  save(operation: PendingImageOperation): Promise<void>;
  prune(before: Instant, keep: number): Promise<void>;
  forgetObject(objectId: string): Promise<void>;
}

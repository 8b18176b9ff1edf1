import type { ImageOperation } from './image-editor.ts';
import type { Instant } from './runtime.ts';

export const IMAGE_OPERATION_STATES = ['accepted', 'running', 'done', 'failed'] as const;
export type ImageOperationState = (typeof IMAGE_OPERATION_STATES)[number];

/** A requested operation on an image. While it runs, its id is that of its task. */
export interface PendingImageOperation {
  readonly id: string;
  readonly objectId: string;
  readonly operation: ImageOperation;
  readonly state: ImageOperationState;
  /** Why it failed, or why the image is unchanged; null otherwise. */
  readonly error: string | null;
  /** Version of the object afterwards; null until then, and after a failure. */
  readonly version: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * The image operations of one owner: waiting ones, and recently finished ones.
 *
 * Contract (contract-tests/suites/image-operation-store.ts):
 * - `save` inserts or replaces, and `find` returns what was saved, field for field.
 * - `next` returns the first unfinished operation of an object, in insertion order, regardless of times and ids.
 * - `waiting` counts the unfinished operations of all objects or of visible ones.
 * - `prune` removes operations that finished and were last changed before the moment, and all but the newest finished
 *   ones, counted separately for hidden and visible objects. Unfinished ones remain.
 * - `forgetObject` removes the operations of one object only.
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

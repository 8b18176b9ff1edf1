import type { BulkFields } from './bulk-runs.ts';
import type { CalendarEvent } from './calendar.ts';
import type { StoredObject } from './objects.ts';
import type { Instant } from './runtime.ts';

/** The fields of an object that an undo compares and puts back. */
export type UndoFields = BulkFields &
  Partial<
    Pick<
      StoredObject,
      'filename' | 'nameSource' | 'nameLocked' | 'suggestedName' | 'suggestedReason' | 'version'
    >
  >;

/** One effect of a step of the agent. */
export type UndoEffect =
  /** An object was changed: the fields that differ, before and after. */
  | {
      readonly kind: 'changed';
      readonly objectId: string;
      readonly from: UndoFields;
      readonly to: UndoFields;
    }
  /** An object was created with these fields. */
  | { readonly kind: 'created'; readonly objectId: string; readonly as: UndoFields }
  | { readonly kind: 'event'; readonly as: CalendarEvent };

/** What a step of the agent changed, as long as it can be undone. */
export interface AgentUndo {
  readonly id: string;
  readonly sessionId: string;
  readonly tool: string;
  /** Empty once it can be neither undone nor redone. */
  readonly effects: readonly UndoEffect[];
  readonly createdAt: Instant;
  /** From then on it can be neither undone nor redone; null if that was cleared after the undo. */
  readonly expiresAt: Instant | null;
  /** null while the change is in effect. */
  readonly undoneAt: Instant | null;
}

/** Whether a step was undone, and until when that can be changed. */
export type AgentUndoState = Pick<AgentUndo, 'id' | 'expiresAt' | 'undoneAt'>;

/**
 * What the agent changed in the sessions of one owner.
 *
 * Contract (contract-tests/suites/agent-undo-store.ts):
 * - `save` inserts or replaces an undo, and `find` returns what was saved, field for field.
 * - `statesOf` returns the states of all undos of a session, in no promised order.
 * - `removeOf` removes all undos of a session, and no others.
 * - `removeExpired` removes undos that expire before the moment, at most `limit`, and returns how many.
 * - Those that were undone count as well, but lose only their effects and their expiry.
 * - Another owner's undos are out of reach.
 */
export interface AgentUndoStore {
  find(id: string): Promise<AgentUndo | undefined>;
  save(undo: AgentUndo): Promise<void>;
  statesOf(sessionId: string): Promise<readonly AgentUndoState[]>;
  removeOf(sessionId: string): Promise<void>;
  removeExpired(before: Instant, limit: number): Promise<number>;
}

import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './runtime.ts';

export const REORGANIZATION_STATES = ['PENDING', 'PROGRESS', 'SUCCESS', 'FAILURE'] as const;
export type ReorganizationState = (typeof REORGANIZATION_STATES)[number];
export const REORGANIZATION_SCOPES = ['uncategorized', 'all'] as const;
export type ReorganizationScope = (typeof REORGANIZATION_SCOPES)[number];
/** `upload`: the run placed the files of a folder drop while they were uploaded. */
export const RUN_SCOPES = [...REORGANIZATION_SCOPES, 'upload'] as const;
export type RunScope = (typeof RUN_SCOPES)[number];

/** One run that sorts an owner's objects into folders. Its id is that of its task. */
export interface Reorganization {
  readonly id: string;
  readonly scope: RunScope;
  readonly dryRun: boolean;
  readonly state: ReorganizationState;
  /** Current step, for people; after a failure the step that failed. */
  readonly phase: string;
  /** The whole plan is stored: from here on it is executed and not recomputed. */
  readonly planned: boolean;
  /** Visible objects in scope at the start. */
  readonly total: number;
  readonly processed: number;
  readonly moved: number;
  readonly skipped: number;
  readonly createdFolders: number;
  readonly createdThemes: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A folder or theme that the plan will create. */
export interface PlannedLocation {
  readonly id: string;
  readonly kind: 'folder' | 'theme';
  readonly name: string;
  readonly description: string;
  readonly icon: string;
  /** For a folder: its theme, planned or existing. */
  readonly themeId: string | null;
  /** The id it was created with, or of an existing one with the same name; null until it is needed. */
  readonly resolvedId: string | null;
}

/** One object that a run moves. */
export interface PlannedMove {
  readonly objectId: string;
  /** Sequence number of the move in its run, from 0. */
  readonly ord: number;
  readonly from: string | null;
  /** A folder; until the object is moved possibly a planned one. */
  readonly to: string;
  readonly state: 'planned' | 'moved' | 'skipped';
  readonly undone: boolean;
}

/**
 * The reorganization runs of one owner, each with its plan and progress.
 *
 * Contract (contract-tests/suites/reorganization-store.ts):
 * - `save` inserts or replaces a run, and `find` returns what was saved, field for field.
 * - `unfinished` returns the run that is pending or in progress, and nothing once it has ended.
 * - `savePlace` inserts or replaces a planned folder of a run, and `places` returns all of them by id.
 * - `saveMove` inserts or replaces the move of an object, and `moves` returns those of one state in order, after a
 *   given one and at most `limit`.
 * - `movesOf` returns the moves of these objects in one run, in order.
 * - `page` lists the runs newest first, then by id, descending, with their total.
 * - `dropPlan` removes the moves and planned folders of one run only.
 * - `pruneToNewest` removes all but the newest runs, with their moves and planned folders.
 * - `forgetObject` removes the moves of an object from every run.
 * - Another owner's runs are out of reach.
 */
export interface ReorganizationStore {
  find(id: string): Promise<Reorganization | undefined>;
  unfinished(): Promise<Reorganization | undefined>;
  page(request: PageRequest): Promise<Page<Reorganization>>;
  save(run: Reorganization): Promise<void>;
  places(runId: string): Promise<readonly PlannedLocation[]>;
  savePlace(runId: string, place: PlannedLocation): Promise<void>;
  /** Those whose `ord` is past `after`. */
  moves(
    runId: string,
    state: PlannedMove['state'],
    after: number,
    limit: number,
  ): Promise<readonly PlannedMove[]>;
  movesOf(runId: string, objectIds: readonly string[]): Promise<readonly PlannedMove[]>;
  saveMove(runId: string, move: PlannedMove): Promise<void>;
  dropPlan(runId: string): Promise<void>;
  pruneToNewest(count: number): Promise<void>;
  forgetObject(objectId: string): Promise<void>;
}

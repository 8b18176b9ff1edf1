import type { Instant } from './time-and-ids.ts';

export const REORGANIZATION_STATES = ['PENDING', 'PROGRESS', 'SUCCESS', 'FAILURE'] as const;
export type ReorganizationState = (typeof REORGANIZATION_STATES)[number];
export const REORGANIZATION_SCOPES = ['uncategorized', 'all'] as const;
export type ReorganizationScope = (typeof REORGANIZATION_SCOPES)[number];

/** One run that puts an owner's objects into folders. Its id is that of its task. */
export interface Reorganization {
  readonly id: string;
  readonly scope: ReorganizationScope;
  readonly dryRun: boolean;
  readonly state: ReorganizationState;
  /** What it is at, for a person; after a failure where it stopped. */
  readonly phase: string;
  /** The whole plan is kept: from here on it is carried out and never made anew. */
  readonly planned: boolean;
  /** Visible objects in scope when they were counted. */
  readonly total: number;
  readonly processed: number;
  readonly moved: number;
  readonly skipped: number;
  readonly createdFolders: number;
  readonly createdThemes: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A folder or theme that a run needs and that was not there when it was planned. */
export interface PlannedPlace {
  readonly id: string;
  readonly kind: 'folder' | 'theme';
  readonly name: string;
  readonly description: string;
  readonly icon: string;
  /** Of a folder: the theme it belongs in, a planned or a present one. */
  readonly themeId: string | null;
  /** What stands for it: itself once it was made, or one of the same name; null until it is needed. */
  readonly resolvedId: string | null;
}

/** One object that a run moves. */
export interface PlannedMove {
  readonly objectId: string;
  /** Counts the moves of a run from 0. */
  readonly ord: number;
  readonly from: string | null;
  /** A folder, or until the object was moved a planned one. */
  readonly to: string;
  readonly state: 'planned' | 'moved' | 'skipped';
  readonly undone: boolean;
}

/**
 * The runs of one owner that put objects into folders, each with its plan and what became of it.
 *
 * Contract (contract-tests/suites/reorganization-store.ts):
 * - `save` inserts or replaces a run, and `find` gives back what was saved, field for field.
 * - `unfinished` gives the run that is pending or in progress, and nothing once it has ended.
 * - `savePlace` inserts or replaces a planned place of a run, and `places` gives all of them by id.
 * - `saveMove` inserts or replaces the move of an object, and `moves` gives those of one state in their order, after a given one and at most as many as asked for.
 * - `dropPlan` takes away the moves and places of one run and no other's.
 * - `keepNewest` takes away all but the newest runs, with their moves and places.
 * - `forgetObject` takes away the moves of an object in every run.
 * - Another owner's runs are out of reach.
 */
export interface ReorganizationStore {
  find(id: string): Promise<Reorganization | undefined>;
  unfinished(): Promise<Reorganization | undefined>;
  save(run: Reorganization): Promise<void>;
  places(runId: string): Promise<readonly PlannedPlace[]>;
  savePlace(runId: string, place: PlannedPlace): Promise<void>;
  /** Those whose `ord` is past `after`. */
  moves(
    runId: string,
    state: PlannedMove['state'],
    after: number,
    limit: number,
  ): Promise<readonly PlannedMove[]>;
  saveMove(runId: string, move: PlannedMove): Promise<void>;
  dropPlan(runId: string): Promise<void>;
  keepNewest(count: number): Promise<void>;
  forgetObject(objectId: string): Promise<void>;
}

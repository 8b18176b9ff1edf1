import { foldName } from '../../ports/library.ts';
import type { PlannedLocation, Reorganization } from '../../ports/reorganizations.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { InvalidInput } from '../shared/errors.ts';
import { enqueueAll, newTask } from '../tasks/index.ts';
import { alreadyRunning, notADryRun } from './errors.ts';
import { hasEnded } from './progress.ts';
import { rejectWhileRunning, REORGANIZE_TASK, type StartDeps } from './start.ts';

type PlanStores = Pick<Stores, 'reorganizations' | 'tasks' | 'idempotency'>;

export interface ApplyPlanDeps extends Omit<StartDeps, 'uow'> {
  readonly uow: UnitOfWork<keyof PlanStores>;
}

export interface PlanChanges {
  /** Objects that are not moved. Ids that the plan does not name are ignored. */
  readonly except: readonly string[];
  /** New names of folders that the plan would create, each by its id or its name in the plan. */
  readonly rename: ReadonlyMap<string, string>;
}

/**
 * Executes the plan of a dry run as it was shown, in the background. The dry run becomes the run that is executed, so that
 * it can be applied once, and undone like any other. What has changed since the plan is skipped.
 */
export async function applyReorganization(
  deps: ApplyPlanDeps,
  caller: Caller,
  id: string,
  changes: PlanChanges,
): Promise<{ readonly taskId: string }> {
  await deps.uow.write(caller.scope, async (stores) => {
    const run = await stores.reorganizations.find(id);
    if (!run) throw notFound();
    if (!hasEnded(run)) throw alreadyRunning({ task_id: id });
    if (!run.dryRun || run.state !== 'SUCCESS') throw notADryRun();
    await rejectWhileRunning(deps, stores);
    await renamePlaces(stores, id, changes.rename);
    const excepted = await exceptMoves(stores, id, changes.except);
    await stores.reorganizations.save(unapplied(run, excepted, deps.clock.now()));
    await stores.tasks.save({ ...newTask(deps, REORGANIZE_TASK, id, {}), id });
    await saveResponse(stores, deps.clock, caller, { taskId: id });
  });
  await enqueueAll(deps.jobs, [{ kind: REORGANIZE_TASK, taskId: id }]);
  return { taskId: id };
}

/** The planned run before its first move. A dry run counts the moves that it would make. */
function unapplied(run: Reorganization, excepted: number, now: number): Reorganization {
  const processed = run.total - run.moved + excepted;
  return {
    ...run,
    dryRun: false,
    state: 'PENDING',
    phase: 'moving',
    processed,
    skipped: processed,
    moved: 0,
    createdFolders: 0,
    createdThemes: 0,
    updatedAt: now,
  };
}

async function renamePlaces(
  { reorganizations }: PlanStores,
  runId: string,
  rename: PlanChanges['rename'],
): Promise<void> {
  if (rename.size === 0) return;
  const folders = (await reorganizations.places(runId)).filter(({ kind }) => kind === 'folder');
  const renamed = new Map<string, PlannedLocation>();
  for (const [key, name] of rename) {
    const folder =
      folders.find((each) => each.id === key) ??
      folders.find((each) => foldName(each.name) === foldName(key));
    if (!folder)
      throw new InvalidInput('body', 'rename', 'the plan creates no folder of this name');
    renamed.set(folder.id, { ...folder, name });
  }
  for (const place of renamed.values()) await reorganizations.savePlace(runId, place);
}

/** Returns how many moves are left out. */
async function exceptMoves(
  { reorganizations }: PlanStores,
  runId: string,
  except: readonly string[],
): Promise<number> {
  const moves = await reorganizations.movesOf(runId, [...new Set(except)]);
  for (const move of moves) await reorganizations.saveMove(runId, { ...move, state: 'skipped' });
  return moves.length;
}

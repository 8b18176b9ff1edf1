import { foldName } from '../../ports/library.ts';
import type { PlannedMove, PlannedLocation, Reorganization } from '../../ports/reorganizations.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { hasEnded } from './progress.ts';
import { planFolders } from './plan.ts';
import type { ObjectFeatures, KnownTheme, NewFolder, Plan } from './plan-types.ts';
import {
  countObjects,
  loadFeatures,
  loadFolders,
  type FeatureDeps,
  type FeatureStores,
} from './load-features.ts';
import { notifyRunEnd } from './notify-owner.ts';

export interface PrepareDeps extends FeatureDeps {
  readonly uow: UnitOfWork<keyof FeatureStores | 'reorganizations' | 'tasks' | 'notifications'>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Limits of a run: how much it holds in memory, and how much it reads. */
export interface PlanLimits {
  /** Objects that the plan is derived from. Others follow similar objects. */
  readonly studied: number;
  /** Objects read at a time beyond those. */
  readonly atOnce: number;
  /** Objects considered in total; more are counted and left for another run. */
  readonly considered: number;
}
const BOUNDS: PlanLimits = { studied: 20_000, atOnce: 2_000, considered: 100_000 };
/** Objects in folders that serve as examples, if only unfiled objects are to be moved. */
const MAX_EXAMPLES = 2_000;
const MAX_FOLDERS_READ = 1_000;
const ROWS_AT_ONCE = 200;

/**
 * Makes the plan of a run and stores it, once. If a worker crashes, its partial plan is discarded and the next worker
 * starts again. Returns whether the plan has moves.
 */
export async function prepare(
  deps: PrepareDeps,
  scope: OwnerScope,
  task: Task,
  bounds = BOUNDS,
): Promise<'planned' | 'over'> {
  const run = await begin(deps, scope, task);
  if (!run) return 'over';
  if (run.planned) return 'planned';
  const first = await loadFeatures(deps, scope, inScope(run), bounds.studied);
  const examples = await examplesFor(deps, scope, run);
  if (!(await reportProgress(deps, scope, task, { phase: 'planning' }))) return 'over';
  const places = await loadFolders(deps, scope, MAX_FOLDERS_READ);
  const plan = await planFolders(deps, {
    cards: [...first.cards, ...examples],
    ...places,
    scope: run.scope === 'all' ? 'all' : 'uncategorized',
    waiting: bounds.studied,
  });
  const seen: CurrentFolder[] = first.cards.map(currentFolder);
  let { next } = first;
  while (next && seen.length < bounds.considered) {
    const most = Math.min(bounds.atOnce, bounds.considered - seen.length);
    const page = await loadFeatures(deps, scope, inScope(run), most, next);
    await plan.assignMore(page.cards);
    seen.push(...page.cards.map(currentFolder));
    next = page.next;
  }
  await plan.assignRest();
  // Objects added meanwhile are left to the next run; objects left over from the last run are included.
  const total = next
    ? Math.max(seen.length, await countObjects(deps, scope, inScope(run)))
    : seen.length;
  const settled = await settle(deps, scope, seen, plan, places.themes);
  for (let from = 0; from < settled.moves.length; from += ROWS_AT_ONCE) {
    const some = settled.moves.slice(from, from + ROWS_AT_ONCE);
    if (!(await saveMoves(deps, scope, task, some))) return 'over';
    // An embedded database completes without yielding.
    await deps.scheduler.yield();
  }
  return savePlan(deps, scope, task, { total, ...settled });
}

/** The run, with the partial plan of a crashed worker removed; undefined if this worker has lost its claim. */
async function begin(
  deps: PrepareDeps,
  scope: OwnerScope,
  task: Task,
): Promise<Reorganization | undefined> {
  return deps.uow.write(scope, async (stores) => {
    const known = await stores.reorganizations.find(task.subject);
    if (!known || hasEnded(known)) await stores.tasks.remove(task.id);
    const run = await findClaimedRun(stores, task);
    if (!run || run.planned) return run;
    await stores.reorganizations.dropPlan(run.id);
    const total = await stores.objects.count({
      visibility: 'visible',
      trashed: false,
      ...inScope(run),
    });
    const started: Reorganization = {
      ...run,
      state: 'PROGRESS',
      phase: 'reading',
      total,
      updatedAt: deps.clock.now(),
    };
    await stores.reorganizations.save(started);
    return started;
  });
}

const inScope = ({ scope }: Reorganization) =>
  scope === 'uncategorized' ? { collectionId: null } : {};

/** The run of the task, if this worker holds its claim and the run has not ended. */
export async function findClaimedRun(
  stores: Pick<Stores, 'reorganizations' | 'tasks'>,
  task: Task,
): Promise<Reorganization | undefined> {
  const claim = await stores.tasks.find(task.id);
  if (claim?.attempts !== task.attempts) return undefined;
  const run = await stores.reorganizations.find(task.subject);
  return run && !hasEnded(run) ? run : undefined;
}

/** Objects in folders serve as examples, even if only the others are to be moved. */
async function examplesFor(
  deps: PrepareDeps,
  scope: OwnerScope,
  run: Reorganization,
): Promise<readonly ObjectFeatures[]> {
  if (run.scope === 'all') return [];
  const newest = await loadFeatures(deps, scope, {}, MAX_EXAMPLES);
  return newest.cards.filter(({ collectionId }) => collectionId !== null);
}

/** The stored result of an assigned object. */
type CurrentFolder = Pick<ObjectFeatures, 'objectId' | 'collectionId'>;
const currentFolder = ({ objectId, collectionId }: ObjectFeatures): CurrentFolder => ({
  objectId,
  collectionId,
});

async function reportProgress(
  deps: PrepareDeps,
  scope: OwnerScope,
  task: Task,
  update: Pick<Reorganization, 'phase'>,
): Promise<boolean> {
  return deps.uow.write(scope, async (stores) => {
    const run = await findClaimedRun(stores, task);
    if (!run) return false;
    await stores.reorganizations.save({ ...run, ...update, updatedAt: deps.clock.now() });
    return true;
  });
}

interface FinishedRun {
  readonly moves: readonly PlannedMove[];
  readonly places: readonly PlannedLocation[];
}

/** Resolves the plan: new folders get ids, or existing folders with the same names are used. */
async function settle(
  deps: PrepareDeps,
  scope: OwnerScope,
  cards: readonly CurrentFolder[],
  plan: Plan,
  themes: readonly KnownTheme[],
): Promise<FinishedRun> {
  const newThemes = new Map<string, PlannedLocation>();
  const themeByName = new Map(themes.map(({ id, name }) => [foldName(name), id]));
  const themeByKey = new Map<string, string>();
  for (const { key, name, icon } of plan.themes) {
    const known = themeByName.get(foldName(name));
    const id = known ?? deps.random.uuid();
    themeByKey.set(key, id);
    themeByName.set(foldName(name), id);
    if (known === undefined) newThemes.set(id, newLocation(id, 'theme', { name, icon }));
  }
  const themeOf = ({ theme }: NewFolder): string | null => {
    if (theme === null) return null;
    if ('key' in theme) return themeByKey.get(theme.key) ?? null;
    return themes.some(({ id }) => id === theme.id) ? theme.id : null;
  };

  const newFolders = new Map<string, PlannedLocation>();
  const folderByKey = new Map<string, string>();
  const folderByName = new Map<string, string>();
  for (const folder of plan.folders) {
    const themeId = themeOf(folder);
    const where = JSON.stringify([themeId, foldName(folder.name)]);
    const there =
      themeId !== null && newThemes.has(themeId)
        ? undefined
        : await deps.uow.read(scope, (s) => s.collections.named(themeId, folder.name));
    const known = folderByName.get(where) ?? there?.id;
    const id = known ?? deps.random.uuid();
    folderByKey.set(folder.key, id);
    folderByName.set(where, id);
    if (known === undefined) newFolders.set(id, newLocation(id, 'folder', { ...folder, themeId }));
  }

  const moves: PlannedMove[] = [];
  const used = new Map<string, PlannedLocation>();
  for (const { objectId, collectionId: from } of cards) {
    const placed = plan.placements.get(objectId);
    const to = placed === undefined ? undefined : (folderByKey.get(placed) ?? placed);
    if (to === undefined || to === from) continue;
    moves.push({ objectId, ord: moves.length, from, to, state: 'planned', undone: false });
    const folder = newFolders.get(to);
    const theme = newThemes.get(folder?.themeId ?? '');
    for (const place of [folder, theme]) if (place) used.set(place.id, place);
  }
  return { moves, places: [...used.values()] };
}

const newLocation = (
  id: string,
  kind: PlannedLocation['kind'],
  given: Pick<PlannedLocation, 'name' | 'icon'> & Partial<PlannedLocation>,
): PlannedLocation => ({
  id,
  kind,
  name: given.name,
  description: given.description ?? '',
  icon: given.icon,
  themeId: given.themeId ?? null,
  resolvedId: null,
});

async function saveMoves(
  deps: PrepareDeps,
  scope: OwnerScope,
  task: Task,
  moves: readonly PlannedMove[],
): Promise<boolean> {
  return deps.uow.write(scope, async (stores) => {
    const run = await findClaimedRun(stores, task);
    if (!run) return false;
    // No data of an object deleted meanwhile may remain.
    const left = await stores.objects.findMany(moves.map(({ objectId }) => objectId));
    const there = new Set(left.map(({ id }) => id));
    for (const move of moves)
      if (there.has(move.objectId)) await stores.reorganizations.saveMove(run.id, move);
    return true;
  });
}

/** Completes the plan. A dry run ends here. */
async function savePlan(
  deps: PrepareDeps,
  scope: OwnerScope,
  task: Task,
  { total, moves, places }: FinishedRun & Pick<Reorganization, 'total'>,
): Promise<'planned' | 'over'> {
  const count = (kind: PlannedLocation['kind']) =>
    places.filter((each) => each.kind === kind).length;
  return deps.uow.write(scope, async (stores) => {
    const run = await findClaimedRun(stores, task);
    if (!run) return 'over';
    for (const place of places) await stores.reorganizations.savePlace(run.id, place);
    const skipped = total - moves.length;
    const planned: Reorganization = {
      ...run,
      planned: true,
      phase: 'moving',
      total,
      processed: skipped,
      skipped,
      updatedAt: deps.clock.now(),
    };
    if (!run.dryRun) {
      await stores.reorganizations.save(planned);
      return 'planned';
    }
    const tried: Reorganization = {
      ...planned,
      state: 'SUCCESS',
      phase: 'done',
      processed: total,
      moved: moves.length,
      createdFolders: count('folder'),
      createdThemes: count('theme'),
    };
    await stores.reorganizations.save(tried);
    await stores.tasks.remove(task.id);
    await notifyRunEnd(deps, stores, tried);
    return 'over';
  });
}

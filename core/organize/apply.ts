import type { PlannedMove, PlannedLocation, Reorganization } from '../../ports/reorganizations.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Scheduler, Clock, RandomSource, Instant } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { applyMove } from '../objects/index.ts';
import { indexObjectMetadata } from '../search/index.ts';
import { findClaimedRun } from './prepare.ts';
import { notifyRunEnd } from './notify-owner.ts';

type ApplyStores = Pick<
  Stores,
  'objects' | 'search' | 'collections' | 'themes' | 'reorganizations' | 'tasks' | 'notifications'
>;

export interface ApplyDeps {
  readonly uow: UnitOfWork<keyof ApplyStores>;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: RandomSource;
}

const MOVES_AT_ONCE = 100;
const SLICE = 5;

/**
 * Executes the next moves of a plan, with the folders they need and the counters, in one transaction: however often a
 * worker crashes, each object is moved once or not at all. The task is removed with the last move. Returns whether
 * moves remain.
 */
export async function applyMoves(deps: ApplyDeps, scope: OwnerScope, task: Task): Promise<boolean> {
  return deps.uow.write(scope, async (stores) => {
    const run = await findClaimedRun(stores, task);
    if (!run) return false;
    const moves = await stores.reorganizations.moves(run.id, 'planned', -1, MOVES_AT_ONCE);
    const found = await stores.objects.findMany(moves.map(({ objectId }) => objectId));
    const objects = new Map(found.map((object) => [object.id, object]));
    const places = await TargetFolders.of(stores, run.id, deps.clock.now());
    let moved = 0;
    for (const [i, move] of moves.entries()) {
      // An embedded database completes without yielding, which would block all other requests of the process.
      if (i > 0 && i % SLICE === 0) await deps.scheduler.yield();
      const to = await moveOne(stores, places, move, objects.get(move.objectId), deps.clock.now());
      if (to !== undefined) moved += 1;
      await stores.reorganizations.saveMove(run.id, {
        ...move,
        ...(to === undefined ? { state: 'skipped' } : { state: 'moved', to }),
      });
    }
    const counted: Reorganization = {
      ...run,
      state: 'PROGRESS',
      processed: run.processed + moves.length,
      moved: run.moved + moved,
      skipped: run.skipped + moves.length - moved,
      createdFolders: run.createdFolders + places.made.folder,
      createdThemes: run.createdThemes + places.made.theme,
      updatedAt: deps.clock.now(),
    };
    const ends = moves.length < MOVES_AT_ONCE;
    const saved = ends ? finished(counted) : counted;
    await stores.reorganizations.save(saved);
    if (!ends) return true;
    await stores.tasks.remove(task.id);
    await notifyRunEnd(deps, stores, saved);
    return false;
  });
}

/** Moves of objects that were deleted meanwhile are removed with them. */
const finished = (run: Reorganization): Reorganization => ({
  ...run,
  state: 'SUCCESS',
  phase: 'done',
  processed: run.total,
  skipped: run.total - run.moved,
});

/** Returns the destination folder; undefined if the object or the folder has changed since the plan. */
async function moveOne(
  stores: ApplyStores,
  places: TargetFolders,
  move: PlannedMove,
  object: StoredObject | undefined,
  now: Instant,
): Promise<string | undefined> {
  if (!object || object.isHidden || object.deletedAt !== null) return undefined;
  if (object.collectionId !== move.from) return undefined;
  const to = await places.folder(move.to);
  if (to === undefined || to === move.from) return undefined;
  const moved = applyMove(object, to, now);
  await stores.objects.save(moved);
  await indexObjectMetadata(stores.search, moved, object);
  return to;
}

/** The folders and themes of a plan, created when the first object is moved there. */
class TargetFolders {
  readonly made = { folder: 0, theme: 0 };
  readonly #stores: ApplyStores;
  readonly #runId: string;
  readonly #now: Instant;
  readonly #planned: Map<string, PlannedLocation>;
  /** Cached folder lookups. No other unit of work of the owner runs in between. */
  readonly #there = new Map<string, boolean>();

  private constructor(
    stores: ApplyStores,
    runId: string,
    now: Instant,
    planned: readonly PlannedLocation[],
  ) {
    this.#stores = stores;
    this.#runId = runId;
    this.#now = now;
    this.#planned = new Map(planned.map((place) => [place.id, place]));
  }

  static async of(stores: ApplyStores, runId: string, now: Instant): Promise<TargetFolders> {
    return new TargetFolders(stores, runId, now, await stores.reorganizations.places(runId));
  }

  /** The actual folder for a planned id; undefined if it was deleted since. */
  async folder(id: string): Promise<string | undefined> {
    const place = this.#planned.get(id);
    if (place?.resolvedId === null) return this.#makeFolder(place);
    const known = place?.resolvedId ?? id;
    const there =
      this.#there.get(known) ?? (await this.#stores.collections.find(known)) !== undefined;
    this.#there.set(known, there);
    return there ? known : undefined;
  }

  async #makeFolder(place: PlannedLocation): Promise<string> {
    const { collections } = this.#stores;
    const { id, name, description, icon } = place;
    const themeId = await this.#theme(place.themeId);
    const twin = await collections.named(themeId, name);
    if (!twin) {
      const times = { createdAt: this.#now, updatedAt: this.#now };
      await collections.save({ id, name, description, icon, themeId, ...times });
      this.made.folder += 1;
    }
    return this.#keep(place, twin?.id ?? id);
  }

  /** A theme that was deleted or hidden since gets no folder. */
  async #theme(id: string | null): Promise<string | null> {
    if (id === null) return null;
    const { themes } = this.#stores;
    const place = this.#planned.get(id);
    if (place?.resolvedId === null) {
      const { name, icon } = place;
      const times = { createdAt: this.#now, updatedAt: this.#now };
      await themes.save({ id, name, icon, isHidden: false, ...times });
      this.made.theme += 1;
      return this.#keep(place, id);
    }
    const theme = await themes.find(id);
    return theme && !theme.isHidden ? id : null;
  }

  async #keep(place: PlannedLocation, resolvedId: string): Promise<string> {
    const created = { ...place, resolvedId };
    this.#planned.set(place.id, created);
    await this.#stores.reorganizations.savePlace(this.#runId, created);
    return resolvedId;
  }
}

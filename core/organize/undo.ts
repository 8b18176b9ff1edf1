import type { StoredObject } from '../../ports/objects.ts';
import type { PlannedMove, PlannedLocation } from '../../ports/reorganizations.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { canSee, zoneFor, type Zone } from '../hidden-zone/index.ts';
import { dropCollection, type CollectionDeps } from '../library/index.ts';
import { applyMove } from '../objects/index.ts';
import { indexObjectMetadata } from '../search/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { alreadyRunning } from './errors.ts';
import { hasEnded } from './progress.ts';

type UndoStores = Pick<
  Stores,
  | 'reorganizations'
  | 'objects'
  | 'search'
  | 'collections'
  | 'themes'
  | 'chats'
  | 'shares'
  | 'pinLock'
  | 'securityEvents'
>;

export interface UndoDeps extends Omit<CollectionDeps, 'uow'> {
  readonly uow: UnitOfWork<keyof UndoStores>;
  readonly scheduler: Scheduler;
}

const MOVES_AT_ONCE = 100;
const OBJECTS_AT_ONCE = 200;
const SLICE = 5;

/**
 * Undoes the moves of a run for objects that have not been moved since, and removes the folders and themes it created
 * if they are empty then. Every batch is committed separately: after an interruption it can be requested again and
 * continues.
 */
export async function undoReorganization(
  deps: UndoDeps,
  caller: Caller,
  id: string,
): Promise<{ readonly undone: number; readonly skipped: number }> {
  const run = await deps.uow.read(caller.scope, (s) => s.reorganizations.find(id));
  if (!run) throw notFound();
  if (!hasEnded(run)) throw alreadyRunning({ task_id: id });
  if (run.dryRun) return { undone: 0, skipped: 0 };
  let undone = 0;
  for (let after = -1; ;) {
    const batch = await undoSome(deps, caller, id, after);
    undone += batch.undone;
    if (batch.last === undefined) break;
    after = batch.last;
  }
  await removeMade(deps, caller, id);
  return { undone, skipped: run.moved - undone };
}

async function undoSome(
  deps: UndoDeps,
  caller: Caller,
  runId: string,
  after: number,
): Promise<{ readonly undone: number; readonly last: number | undefined }> {
  return deps.uow.write(caller.scope, async (stores) => {
    const moves = await stores.reorganizations.moves(runId, 'moved', after, MOVES_AT_ONCE);
    const found = await stores.objects.findMany(moves.map(({ objectId }) => objectId));
    const objects = new Map(found.map((object) => [object.id, object]));
    const origins = new Set(moves.flatMap(({ from }) => from ?? []));
    const folders = await stores.collections.names([...origins]);
    let undone = 0;
    for (const [i, move] of moves.entries()) {
      if (i > 0 && i % SLICE === 0) await deps.scheduler.yield();
      const object = objects.get(move.objectId);
      if (!object || !canGoBack(object, move, folders)) continue;
      const back = applyMove(object, move.from, deps.clock.now());
      await stores.objects.save(back);
      await indexObjectMetadata(stores.search, back, object);
      await stores.reorganizations.saveMove(runId, { ...move, undone: true });
      undone += 1;
    }
    const last = moves.length < MOVES_AT_ONCE ? undefined : moves.at(-1)?.ord;
    return { undone, last };
  });
}

/** The object is where the run moved it, and its former folder still exists. */
const canGoBack = (
  object: StoredObject,
  move: PlannedMove,
  folders: ReadonlyMap<string, unknown>,
): boolean =>
  !move.undone &&
  !object.isHidden &&
  object.deletedAt === null &&
  object.collectionId === move.to &&
  (move.from === null || folders.has(move.from));

/** Folders before their themes. */
async function removeMade(deps: UndoDeps, caller: Caller, runId: string): Promise<void> {
  const places = await deps.uow.read(caller.scope, (s) => s.reorganizations.places(runId));
  const created = places.filter((place) => place.resolvedId === place.id);
  for (const kind of ['folder', 'theme'] as const)
    for (const place of created.filter((each) => each.kind === kind))
      await deps.uow.write(caller.scope, (stores) => removeIfEmpty(deps, stores, caller, place));
}

async function removeIfEmpty(
  deps: UndoDeps,
  stores: UndoStores,
  caller: Caller,
  { kind, id }: PlannedLocation,
): Promise<void> {
  if (kind === 'folder') {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    if ((await stores.collections.find(id)) && (await isEmpty(stores, zone, id)))
      await dropCollection(deps, stores, caller, zone, id, 'keep');
    return;
  }
  const theme = await stores.themes.find(id);
  // A theme that was hidden since is in use by the owner.
  if (!theme || theme.isHidden) return;
  const folders = await stores.collections.countByTheme([id]);
  if ((folders.get(id) ?? 0) === 0) await stores.themes.remove(id);
}

/**
 * While the zone is locked, a folder that contains only hidden objects, and conversations that hold them, is removed like an empty one: otherwise it
 * would reveal them.
 */
async function isEmpty(stores: UndoStores, zone: Zone, id: string): Promise<boolean> {
  const filter = { collectionId: id, visibleOnly: zone === 'closed' };
  const chats = await stores.chats.page(filter, { limit: 1, offset: 0 });
  if (chats.total > 0) return false;
  for (let after: string | null = null; ;) {
    const ids: readonly string[] = await stores.objects.idsIn(id, after, OBJECTS_AT_ONCE);
    const objects = await stores.objects.findMany(ids);
    if (objects.some((object) => canSee(object, zone))) return false;
    if (ids.length < OBJECTS_AT_ONCE) return true;
    after = ids.at(-1) ?? null;
  }
}

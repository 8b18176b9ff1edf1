import type { PlannedLocation, PlannedMove, Reorganization } from '../../ports/reorganizations.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { canSee, zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';

type ProgressStores = Pick<
  Stores,
  'reorganizations' | 'objects' | 'collections' | 'themes' | 'pinLock'
>;

export interface ProgressDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof ProgressStores>;
}

/** The folder of a move in a dry run. */
export interface PlannedFolder {
  readonly id: string;
  /** The name of its theme; null for none. */
  readonly theme: string | null;
  readonly name: string;
  /** Whether the folder exists. */
  readonly exists: boolean;
}

export interface ReorganizationMove {
  readonly objectId: string;
  /** Sequence number in its run. */
  readonly ord: number;
  readonly from: string | null;
  /** null if a dry run would have to create the folder first. */
  readonly to: string | null;
  /** Of a dry run; null if the folder was deleted since. */
  readonly folder?: PlannedFolder | null;
}

export interface ReorganizationView {
  readonly run: Reorganization;
  /** Set after success. */
  readonly moves?: readonly ReorganizationMove[];
  /** More moves follow those of this page. */
  readonly hasMore?: boolean;
}

/** The moves of a page, at most. */
export const MOVES_SHOWN = 500;

export interface MovePaging {
  readonly limit: number;
  /** The number of the last move of the page before; -1 for the first page. */
  readonly after: number;
}

export const hasEnded = ({ state }: Reorganization): boolean =>
  state === 'SUCCESS' || state === 'FAILURE';

/** The progress of a run, and its result at the end. */
export async function getReorganization(
  deps: ProgressDeps,
  caller: Caller,
  id: string,
  paging: MovePaging = { limit: MOVES_SHOWN, after: -1 },
): Promise<ReorganizationView> {
  return deps.uow.read(caller.scope, async (stores) => {
    const run = await stores.reorganizations.find(id);
    if (!run) throw notFound();
    if (run.state !== 'SUCCESS') return { run };
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const shown = await seenMoves(stores, zone, run, paging);
    const moves = shown.slice(0, paging.limit).map(shownMove);
    return {
      run,
      moves: run.dryRun ? await withFolders(stores, zone, run, moves) : moves,
      hasMore: shown.length > moves.length,
    };
  });
}

/** One more than the page has, if there are more. An object that is hidden now leaves no gap, like one that was erased. */
async function seenMoves(
  { reorganizations, objects }: ProgressStores,
  zone: Zone,
  run: Reorganization,
  { limit, after }: MovePaging,
): Promise<readonly PlannedMove[]> {
  const state: PlannedMove['state'] = run.dryRun ? 'planned' : 'moved';
  const shown: PlannedMove[] = [];
  for (let last = after; shown.length <= limit;) {
    const moves = await reorganizations.moves(run.id, state, last, limit + 1);
    const found = await objects.findMany(moves.map(({ objectId }) => objectId));
    const seen = new Set(found.filter((each) => canSee(each, zone)).map(({ id }) => id));
    shown.push(...moves.filter(({ objectId }) => seen.has(objectId)));
    if (moves.length <= limit) break;
    last = moves.at(-1)?.ord ?? last;
  }
  return shown.slice(0, limit + 1);
}

const shownMove = ({ objectId, ord, from, to }: PlannedMove) => ({ objectId, ord, from, to });

/** Names the folders of planned moves. */
async function withFolders(
  stores: ProgressStores,
  zone: Zone,
  run: Reorganization,
  moves: readonly ReturnType<typeof shownMove>[],
): Promise<readonly ReorganizationMove[]> {
  const places = await stores.reorganizations.places(run.id);
  const planned = new Map(places.map((place) => [place.id, place]));
  const folders = new Map<string, PlannedFolder | null>();
  for (const id of new Set(moves.map(({ to }) => to)))
    folders.set(id, await folderOf(stores, zone, planned, id));
  return moves.map(({ to, ...move }) => ({
    ...move,
    to: planned.has(to) ? null : to,
    folder: folders.get(to) ?? null,
  }));
}

async function folderOf(
  stores: ProgressStores,
  zone: Zone,
  planned: ReadonlyMap<string, PlannedLocation>,
  id: string,
): Promise<PlannedFolder | null> {
  const place = planned.get(id);
  const folder = place ?? (await stores.collections.find(id));
  if (!folder) return null;
  const { name, themeId } = folder;
  const theme = themeId === null ? null : await themeName(stores, zone, planned, themeId);
  return { id, theme, name, exists: place === undefined };
}

/** While the zone is locked, a folder of a hidden theme looks like one without a theme. */
async function themeName(
  { themes }: ProgressStores,
  zone: Zone,
  planned: ReadonlyMap<string, PlannedLocation>,
  id: string,
): Promise<string | null> {
  const place = planned.get(id);
  if (place) return place.name;
  const theme = await themes.find(id);
  return theme && canSee(theme, zone) ? theme.name : null;
}

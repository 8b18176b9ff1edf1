import type { PlannedMove, Reorganization } from '../../ports/reorganizations.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { canSee, zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';

type ProgressStores = Pick<Stores, 'reorganizations' | 'objects' | 'pinLock'>;

export interface ProgressDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof ProgressStores>;
}

export interface ReorganizationMove {
  readonly objectId: string;
  readonly from: string | null;
  /** null if a dry run would have to create the folder first. */
  readonly to: string | null;
}

export interface ReorganizationView {
  readonly run: Reorganization;
  /** Set after success. */
  readonly moves?: readonly ReorganizationMove[];
}

/** The first moves of a run. */
export const MOVES_SHOWN = 500;

export const hasEnded = ({ state }: Reorganization): boolean =>
  state === 'SUCCESS' || state === 'FAILURE';

/** The progress of a run, and its result at the end. */
export async function getReorganization(
  deps: ProgressDeps,
  caller: Caller,
  id: string,
): Promise<ReorganizationView> {
  return deps.uow.read(caller.scope, async (stores) => {
    const run = await stores.reorganizations.find(id);
    if (!run) throw notFound();
    if (run.state !== 'SUCCESS') return { run };
    const zone = await zoneFor(deps, stores.pinLock, caller);
    return { run, moves: await shownMoves(stores, zone, run) };
  });
}

async function shownMoves(
  { reorganizations, objects }: ProgressStores,
  zone: Zone,
  run: Reorganization,
): Promise<readonly ReorganizationMove[]> {
  const state: PlannedMove['state'] = run.dryRun ? 'planned' : 'moved';
  const moves = await reorganizations.moves(run.id, state, -1, MOVES_SHOWN);
  const places = new Set((await reorganizations.places(run.id)).map(({ id }) => id));
  const found = await objects.findMany(moves.map(({ objectId }) => objectId));
  const seen = new Set(found.filter((each) => canSee(each, zone)).map(({ id }) => id));
  return moves
    .filter(({ objectId }) => seen.has(objectId))
    .map(({ objectId, from, to }) => ({
      objectId,
      from,
      to: run.dryRun && places.has(to) ? null : to,
    }));
}

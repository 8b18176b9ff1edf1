import type { ImportRun } from '../../ports/import-runs.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { stillRunning } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { isUnfinished, recentRuns } from './follow.ts';

export interface ImportRunsDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'importRuns' | 'pinLock'>;
}

type Seen = Pick<Caller, 'scope' | 'hiddenToken'>;

/**
 * The imports of the last days, newest first. A result may count what is hidden, so a run that may have seen hidden objects
 * is concealed while the zone is locked.
 */
export const listImports = (deps: ImportRunsDeps, caller: Seen): Promise<readonly ImportRun[]> =>
  deps.uow.read(caller.scope, (stores) => visibleRuns(deps, caller, stores));

export const getImport = (deps: ImportRunsDeps, caller: Seen, id: string): Promise<ImportRun> =>
  deps.uow.read(caller.scope, (stores) => visibleRun(deps, caller, stores, id));

/** Forgets a run that has ended. */
export const dismissImport = (deps: ImportRunsDeps, caller: Seen, id: string): Promise<void> =>
  deps.uow.write(caller.scope, async (stores) => {
    if (isUnfinished(await visibleRun(deps, caller, stores, id)))
      throw stillRunning({ import_id: id });
    await stores.importRuns.remove(id);
  });

async function visibleRuns(
  deps: ImportRunsDeps,
  caller: Seen,
  { importRuns, pinLock }: Pick<Stores, 'importRuns' | 'pinLock'>,
): Promise<readonly ImportRun[]> {
  const zone = await zoneFor(deps, pinLock, caller);
  const runs = await recentRuns(importRuns, deps.clock.now());
  return runs.filter(({ isConcealed }) => !isConcealed || zone !== 'closed');
}

async function visibleRun(
  deps: ImportRunsDeps,
  caller: Seen,
  stores: Pick<Stores, 'importRuns' | 'pinLock'>,
  id: string,
): Promise<ImportRun> {
  const run = (await visibleRuns(deps, caller, stores)).find((each) => each.id === id);
  if (!run) throw notFound();
  return run;
}

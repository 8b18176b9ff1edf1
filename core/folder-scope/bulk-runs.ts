import type { BulkRun, BulkRunStore } from '../../ports/bulk-runs.ts';
import { boundToFolders } from './errors.ts';
import type { FolderView } from './folder-view.ts';

/**
 * The runs that were started by callers with the same binding. The objects of a run are reached through the object store,
 * which shows those in the folders only.
 */
export function bulkRunsOf(view: FolderView): BulkRunStore {
  const { bulkRuns } = view.stores;
  const binding = [...view.folderIds].sort();
  const isOwn = ({ folderIds }: Pick<BulkRun, 'folderIds'>) =>
    folderIds?.length === binding.length && folderIds.every((id, i) => id === binding[i]);
  const ownRun = async (id: string) => {
    const run = await bulkRuns.find(id);
    return run && isOwn(run) ? run : undefined;
  };
  const requireOwn = (run: Pick<BulkRun, 'folderIds'> | undefined) => {
    if (!run || !isOwn(run)) throw boundToFolders();
  };
  return {
    find: ownRun,
    save: async (run) => {
      requireOwn(run);
      await bulkRuns.save(run);
    },
    unfinished: () => bulkRuns.unfinished(binding),
    beyond: (of, newest, before, limit) =>
      bulkRuns.beyond({ ...of, folderIds: binding }, newest, before, limit),
    items: async (runId, outcome, after, limit) =>
      (await ownRun(runId)) ? bulkRuns.items(runId, outcome, after, limit) : [],
    saveItems: async (runId, items) => {
      requireOwn(await ownRun(runId));
      await bulkRuns.saveItems(runId, items);
    },
    removeItems: async (runId, limit) =>
      (await ownRun(runId)) ? bulkRuns.removeItems(runId, limit) : 0,
    counts: async (runId) => ((await ownRun(runId)) ? bulkRuns.counts(runId) : []),
    addCounts: async (runId, counts) => {
      requireOwn(await ownRun(runId));
      await bulkRuns.addCounts(runId, counts);
    },
    remove: async (id) => {
      if (await ownRun(id)) await bulkRuns.remove(id);
    },
    // They follow a change of the object, in the runs of every caller.
    setObjectVisibility: async (objectId, isHidden) => {
      await view.requireNotOutside(objectId);
      await bulkRuns.setObjectVisibility(objectId, isHidden);
    },
    forgetObject: async (objectId) => {
      await view.requireNotOutside(objectId);
      await bulkRuns.forgetObject(objectId);
    },
  };
}

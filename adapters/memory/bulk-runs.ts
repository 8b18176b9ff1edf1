import type { BulkItem, BulkRun, BulkRunStore } from '../../ports/bulk-runs.ts';
import type { Tables } from './database.ts';
import { byCodePoint, newestFirst } from './order.ts';

const keyOf = (...parts: readonly (string | boolean)[]): string => parts.join(' ');
const bindingOf = (folderIds: BulkRun['folderIds']): string => JSON.stringify(folderIds);

export function memoryBulkRuns({ bulkRuns, bulkItems, bulkCounts }: Tables): BulkRunStore {
  const itemsOf = (matches: (item: BulkItem & { runId: string }) => boolean) =>
    bulkItems.values().filter(matches);
  const count = (runId: string, isHidden: boolean, outcome: string, by: number) => {
    const key = keyOf(runId, isHidden, outcome);
    const counted = (bulkCounts.get(key)?.count ?? 0) + by;
    bulkCounts.set(key, Object.freeze({ runId, isHidden, outcome, count: counted }));
  };
  const removed = (items: readonly (BulkItem & { runId: string })[]): number => {
    for (const { runId, objectId } of items) bulkItems.delete(keyOf(runId, objectId));
    return items.length;
  };
  return {
    find: async (id) => bulkRuns.get(id),
    save: async (run) => bulkRuns.set(run.id, Object.freeze({ ...run })),
    unfinished: async (folderIds) =>
      bulkRuns
        .values()
        .filter(({ state }) => state === 'PENDING' || state === 'PROGRESS')
        .filter((run) => bindingOf(run.folderIds) === bindingOf(folderIds)).length,
    beyond: async (of, newest, before, limit) =>
      bulkRuns
        .values()
        .filter(
          (run) =>
            run.isBackground === of.isBackground &&
            bindingOf(run.folderIds) === bindingOf(of.folderIds) &&
            run.expiresAt !== null &&
            run.expiresAt > before,
        )
        .sort(newestFirst)
        .slice(newest, newest + limit)
        .reverse(),
    items: async (runId, outcome, after, limit) =>
      itemsOf((item) => item.runId === runId && item.outcome === outcome && item.ord > after)
        .sort((a, b) => a.ord - b.ord)
        .slice(0, limit)
        .map(({ runId: _, ...item }) => item),
    saveItems: async (runId, items) => {
      for (const item of items)
        bulkItems.set(keyOf(runId, item.objectId), Object.freeze({ ...item, runId }));
    },
    removeItems: async (runId, limit) =>
      removed(itemsOf((item) => item.runId === runId).slice(0, limit)),
    counts: async (runId) =>
      bulkCounts
        .values()
        .filter((each) => each.runId === runId && each.count !== 0)
        .map(({ runId: _, ...each }) => each)
        .sort(
          (a, b) => Number(a.isHidden) - Number(b.isHidden) || byCodePoint(a.outcome, b.outcome),
        ),
    addCounts: async (runId, counts) => {
      for (const each of counts) count(runId, each.isHidden, each.outcome, each.count);
    },
    remove: async (id) => {
      removed(itemsOf((item) => item.runId === id));
      for (const { runId, isHidden, outcome } of bulkCounts.values())
        if (runId === id) bulkCounts.delete(keyOf(runId, isHidden, outcome));
      bulkRuns.delete(id);
    },
    setObjectVisibility: async (objectId, isHidden) => {
      for (const item of itemsOf(
        (each) => each.objectId === objectId && each.isHidden !== isHidden,
      )) {
        count(item.runId, item.isHidden, item.outcome, -1);
        count(item.runId, isHidden, item.outcome, 1);
        bulkItems.set(keyOf(item.runId, objectId), Object.freeze({ ...item, isHidden }));
      }
    },
    forgetObject: async (objectId) => {
      removed(itemsOf((item) => item.objectId === objectId));
    },
  };
}

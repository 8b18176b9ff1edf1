import {
  changeMany,
  undoRuns,
  type BulkChange,
  type BulkResult,
  type Selected,
} from '../../data/bulk.ts';
import { folderOf } from '../../data/folders.ts';
import { noteChange } from '../../data/live.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import type { ObjectFilters } from '../../data/object-filters.ts';
import { isolated } from '../../i18n/isolated.ts';
import { t } from '../../i18n/language.ts';
import { asChange, recordChange } from '../../state/undo.ts';
import { watchForLock } from '../../state/zone-token.ts';
import type { ListModel } from './list-model.ts';
import { activity, problem, reportFailed, reportFailure } from './problem.ts';

/** Whether a list with these filters loses a document that is moved into the folder. */
const leavesOnMove = (filters: ObjectFilters, folder: string | null): boolean =>
  (filters.collection_id !== undefined && filters.collection_id !== folder) ||
  (filters.uncategorized === true && folder !== null) ||
  (filters.theme_id !== undefined && folderOf(folder)?.theme_id !== filters.theme_id);

/** Shows a change before the service has made it. */
function showAtOnce(
  { list, listing }: ListModel,
  ids: readonly string[],
  change: BulkChange,
): void {
  const changed = new Set(ids);
  const { action, collection_id: folder = null, categories } = change;
  if (action === 'categorize') {
    list.change((item) =>
      changed.has(item.id) ? { ...item, categories: [...(categories ?? [])] } : item,
    );
  } else if (action === 'move' && !leavesOnMove(listing.filters, folder)) {
    const name = folderOf(folder)?.name ?? null;
    list.change((item) =>
      changed.has(item.id) ? { ...item, collection_id: folder, collection_name: name } : item,
    );
  } else list.remove(changed);
}

function labelOf({ action, collection_id: folder }: BulkChange, count: number): string {
  const { did } = t().library;
  if (action === 'move') {
    const name = folderOf(folder ?? null)?.name;
    return name === undefined ? did.unfile(count) : did.move(count, isolated(name));
  }
  return did[action](count);
}

/** Makes a change at once, and takes it back with the reason if the service refuses it. */
export const changeDocuments = (...change: Parameters<typeof makeChange>): Promise<void> =>
  asChange(makeChange(...change));

async function makeChange(
  model: ListModel | undefined,
  selected: Selected,
  change: BulkChange,
): Promise<void> {
  problem.value = undefined;
  if (model && 'ids' in selected) showAtOnce(model, selected.ids, change);
  model?.selectNone();
  const retry = (ids?: readonly string[]) => () =>
    void changeDocuments(model, ids?.length ? { ids } : selected, change);
  // The lock aborts requests: to try again what was hidden would keep its ids in memory.
  const hasLocked = watchForLock();
  try {
    const result = await changeMany(selected, change, (progress) => {
      if ('filter' in selected) activity.value = { text: t().library.changing, ...progress };
    });
    if (hasLocked()) return;
    if (result.failed.size > 0) reportFailed(result.failed, retry(result.failedIds));
    if (result.done > 0) rememberRuns(labelOf(change, result.done), result, change);
    const { stopped } = result;
    if (stopped) reportFailure(stopped.error, retry(stopped.ids));
  } catch (error) {
    if (!hasLocked()) reportFailure(error, retry());
  } finally {
    activity.value = undefined;
    noteChange('objects', 'folders');
  }
}

/** The undo of a run is a run, which can be undone as well. */
function rememberRuns(label: string, { runs: first }: BulkResult, { action }: BulkChange): void {
  if (action === 'delete') return;
  let runs = first;
  const flip = async (): Promise<void> => {
    const result = await undoRuns(runs, (progress) => {
      activity.value = { text: t().library.undoing, ...progress };
    }).finally(() => void (activity.value = undefined));
    runs = result.runs;
    if (result.failed.size > 0) reportFailed(result.failed);
  };
  recordChange({ label, undo: flip, redo: flip });
}

/** The labels that all of these documents have. */
export const commonLabels = (items: readonly ObjectItem[]): readonly string[] =>
  (items[0]?.categories ?? []).filter((label) =>
    items.every(({ categories }) => categories.includes(label)),
  );

/**
 * Gives documents the labels, in place of those that all of them had. Other labels of a document stay. Documents that were
 * chosen by a filter are not known one by one: they get exactly these labels.
 */
export async function labelDocuments(
  model: ListModel,
  selected: Selected,
  items: readonly ObjectItem[],
  labels: readonly string[],
): Promise<void> {
  if ('filter' in selected || items.length < selected.ids.length) {
    await changeDocuments(model, selected, { action: 'categorize', categories: labels });
    return;
  }
  const common = new Set(commonLabels(items));
  const bySet = Map.groupBy(items, ({ categories }) =>
    JSON.stringify([...new Set([...categories.filter((label) => !common.has(label)), ...labels])]),
  );
  for (const [set, group] of bySet)
    await changeDocuments(
      model,
      { ids: group.map(({ id }) => id) },
      { action: 'categorize', categories: JSON.parse(set) as string[] },
    );
}

import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import type { components } from '../api/schema.js';
import { inBatches, type Batches } from './batches.ts';
import { noteChange } from './live.ts';
import type { ObjectFilters } from './object-filters.ts';

type BulkRun = components['schemas']['BulkRun'];
export type BulkAction = BulkRun['action'];

/** Documents that were chosen one by one, or all that a filter means but a few. */
export type Selected =
  | { readonly ids: readonly string[] }
  | { readonly filter: ObjectFilters; readonly except: readonly string[] };

export interface BulkChange {
  readonly action: BulkAction;
  /** Of a move; null takes documents out of their folders. */
  readonly collection_id?: string | null;
  readonly categories?: readonly string[];
}

export interface BulkProgress {
  readonly done: number;
  readonly total: number;
}

export interface BulkResult {
  /** Runs that can be undone. */
  readonly runs: readonly string[];
  readonly done: number;
  /** Documents that could not be changed, by the code of the reason. */
  readonly failed: ReadonlyMap<string, number>;
  /** Those of them that were chosen one by one. */
  readonly failedIds: readonly string[];
  /** Why documents that were chosen one by one were not all sent, and which are left. */
  readonly stopped?: NonNullable<Batches<unknown>['stopped']>;
}

/** Of one request. */
const MAX_IDS = 500;
const POLL_MS = 400;

type Report = (progress: BulkProgress) => void;

/** Changes many documents. Those chosen by a filter are changed in the background, with progress. */
export async function changeMany(
  selected: Selected,
  { action, collection_id: folder, categories }: BulkChange,
  report: Report = () => undefined,
): Promise<BulkResult> {
  const change = {
    action,
    ...(folder !== undefined && { collection_id: folder ?? '' }),
    ...(categories && { categories: [...categories] }),
  };
  if ('filter' in selected) {
    const { filter, except } = selected;
    const body = { ...change, filter, except: [...except] };
    const { task_id: id } = await reply(api.POST('/v1/objects/bulk', { body }));
    return resultOf(await finished(id, report));
  }
  const { ids } = selected;
  let sent = 0;
  const { results, stopped } = await inBatches(ids, MAX_IDS, async (batch) => {
    const body = { ...change, ids: [...batch] };
    const { task_id: id, done, failed = [] } = await reply(api.POST('/v1/objects/bulk', { body }));
    sent += batch.length;
    report({ done: sent, total: ids.length });
    return {
      runs: done?.length ? [id] : [],
      done: done?.length ?? 0,
      failed: countBy(failed.map(({ code }) => code)),
      failedIds: failed.map((each) => each.id),
    };
  });
  return { ...merged(results), ...(stopped && { stopped }) };
}

/** Puts back what runs changed. The result is that of runs which can be undone themselves. */
export async function undoRuns(
  runs: readonly string[],
  report: Report = () => undefined,
): Promise<BulkResult> {
  const results: BulkResult[] = [];
  for (const id of runs.toReversed()) {
    const path = { task_id: id };
    const run = await reply(api.POST('/v1/objects/bulk/{task_id}/undo', { params: { path } }));
    results.push(resultOf(await finished(run.task_id, report)));
  }
  noteChange('objects', 'folders');
  return merged(results);
}

async function finished(id: string, report: Report): Promise<BulkRun> {
  for (;;) {
    const run = await reply(
      api.GET('/v1/objects/bulk/{task_id}', { params: { path: { task_id: id } } }),
    );
    report({ done: run.done, total: run.total });
    if (run.state === 'SUCCESS' || run.state === 'FAILURE') return run;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const resultOf = ({ task_id: id, done, failed }: BulkRun): BulkResult => ({
  runs: done > 0 ? [id] : [],
  done,
  failed: new Map(failed.map(({ code, count }) => [code, count])),
  failedIds: [],
});

const countBy = (codes: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));

function merged(results: readonly BulkResult[]): BulkResult {
  const failed = new Map<string, number>();
  for (const result of results)
    for (const [code, count] of result.failed) failed.set(code, (failed.get(code) ?? 0) + count);
  return {
    runs: results.flatMap(({ runs }) => runs),
    done: results.reduce((sum, { done }) => sum + done, 0),
    failed,
    failedIds: results.flatMap(({ failedIds }) => failedIds),
  };
}

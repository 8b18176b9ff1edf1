import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import type { ObjectItem } from '../../data/object-list.ts';

type Progress = components['schemas']['ReorganizeProgress'];
export type RunCard = components['schemas']['ReorganizationCard'];
export type Target = components['schemas']['PlannedFolder'];
type Move = NonNullable<Progress['moves']>[number];

const POLL_MS = 500;
const MAX_RUNS = 20;
const LIST_PAGE = 100;
/** Pages of the list that are read for the names of documents, before the rest is read one by one. */
const MAX_LIST_PAGES = 20;
const LANES = 4;

export interface PlannedMove {
  readonly item: ObjectItem;
  readonly from: string | null;
}

/** The documents that would move into one folder. */
export interface Group {
  readonly target: Target;
  readonly moves: readonly PlannedMove[];
}

export interface Plan {
  readonly total: number;
  readonly skipped: number;
  readonly groups: readonly Group[];
}

export const readRuns = async (signal?: AbortSignal): Promise<readonly RunCard[]> => {
  const params = { query: { limit: MAX_RUNS } };
  const { items } = await reply(
    api.GET('/v1/objects/reorganize', { params, ...(signal && { signal }) }),
  );
  return items;
};

/** `upload` is no scope of a plan: it is that of a dropped folder, in the list of runs. */
export const startPlan = async (scope: Exclude<RunCard['scope'], 'upload'>): Promise<string> => {
  const body = { scope, dry_run: true };
  return (await reply(api.POST('/v1/objects/reorganize', { body }))).task_id;
};

export const readProgress = (id: string, signal?: AbortSignal, cursor?: string) =>
  reply(
    api.GET('/v1/objects/reorganize/{task_id}', {
      params: { path: { task_id: id }, ...(cursor && { query: { cursor } }) },
      ...(signal && { signal }),
    }),
  );

/** Waits until a run has ended. */
export async function whenDone(
  id: string,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<Progress> {
  for (;;) {
    const progress = await readProgress(id, signal);
    signal.throwIfAborted();
    report(progress);
    if (progress.done) return progress;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** All moves of a plan by folder, with the names of the documents. */
export async function readPlan(id: string, signal: AbortSignal): Promise<Plan> {
  const first = await readProgress(id, signal);
  const moves = [...(first.moves ?? [])];
  for (let cursor = first.next_cursor; cursor !== undefined;) {
    const page = await readProgress(id, signal, cursor);
    moves.push(...(page.moves ?? []));
    cursor = page.next_cursor;
  }
  const named = await namesOf(new Set(moves.map((move) => move.object_id)), signal);
  return { total: first.total, skipped: first.skipped, groups: groupsOf(moves, named) };
}

function groupsOf(
  moves: readonly Move[],
  items: ReadonlyMap<string, ObjectItem>,
): readonly Group[] {
  const groups = new Map<string, { target: Target; moves: PlannedMove[] }>();
  for (const { object_id: id, from, to } of moves) {
    const item = items.get(id);
    if (!item || to === null || typeof to === 'string') continue;
    const group = groups.get(to.id) ?? { target: to, moves: [] };
    groups.set(to.id, group);
    group.moves.push({ item, from });
  }
  return [...groups.values()];
}

async function namesOf(
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ObjectItem>> {
  const found = new Map<string, ObjectItem>();
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_LIST_PAGES && found.size < wanted.size; page++) {
    const query = { limit: LIST_PAGE, ...(cursor && { cursor }) };
    const { items, next_cursor: next } = await reply(
      api.GET('/v1/objects', { params: { query }, signal }),
    );
    for (const item of items) if (wanted.has(item.id)) found.set(item.id, item);
    if (next === null) break;
    cursor = next;
  }
  const rest = [...wanted].filter((id) => !found.has(id)).values();
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const id of rest) {
        const path = { object_id: id };
        const { data } = await api.GET('/v1/objects/{object_id}', { params: { path }, signal });
        // One that is gone by now is left out of the plan.
        if (data) found.set(id, { ...data, title: '', summary: '', doc_type: 'other' });
      }
    }),
  );
  return found;
}

export const applyPlan = (
  id: string,
  except: readonly string[],
  rename: ReadonlyMap<string, string>,
) =>
  reply(
    api.POST('/v1/objects/reorganize/{task_id}/apply', {
      params: { path: { task_id: id } },
      body: { except: [...except], rename: Object.fromEntries(rename) },
    }),
  );

export const undoRun = (id: string) =>
  reply(api.POST('/v1/objects/reorganize/{task_id}/undo', { params: { path: { task_id: id } } }));

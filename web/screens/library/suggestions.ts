import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { noteChange } from '../../data/live.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import type { ObjectFilters } from '../../data/object-filters.ts';
import { folderOf } from '../../data/folders.ts';
import { messageOf } from '../../i18n/errors.ts';
import { isolated } from '../../i18n/isolated.ts';
import { t } from '../../i18n/language.ts';
import { asChange, recordChange } from '../../state/undo.ts';
import { watchForLock } from '../../state/zone-token.ts';
import { toast } from '../../ui/toasts.tsx';
import type { ListModel } from './list-model.ts';
import { activity, problem, reportFailure } from './problem.ts';

const PAGE = 100;
/** Requests at a time. */
const LANES = 4;

const answer = (id: string, accept: boolean): Promise<unknown> =>
  reply(
    api.POST('/v1/objects/{object_id}/suggestion', {
      params: { path: { object_id: id } },
      body: { accept },
    }),
  );

/** Gives a document the name and the folder that it had. */
async function putBack({ id, display_name: name, collection_id: folder, ...item }: ObjectItem) {
  const params = { path: { object_id: id } };
  if (item.suggested_name !== null)
    await reply(api.PATCH('/v1/objects/{object_id}', { params, body: { filename: name } }));
  if (item.suggested_collection_id !== null)
    await reply(
      api.PUT('/v1/objects/{object_id}/collection', { params, body: { collection_id: folder } }),
    );
}

/** Does again what `putBack` took back: the suggestion itself is no longer there. */
async function takeAgain({ id, ...item }: ObjectItem): Promise<void> {
  const params = { path: { object_id: id } };
  const { suggested_name: filename, suggested_collection_id: folder } = item;
  if (filename !== null)
    await reply(api.PATCH('/v1/objects/{object_id}', { params, body: { filename } }));
  if (folder !== null)
    await reply(
      api.PUT('/v1/objects/{object_id}/collection', { params, body: { collection_id: folder } }),
    );
}

const taken = (item: ObjectItem): ObjectItem => ({
  ...item,
  display_name: item.suggested_name ?? item.display_name,
  collection_id: item.suggested_collection_id ?? item.collection_id,
  collection_name: folderOf(item.suggested_collection_id)?.name ?? item.collection_name,
});
const without = (item: ObjectItem): ObjectItem => ({
  ...item,
  suggested_name: null,
  suggested_collection_id: null,
});

/** Takes or drops a suggestion at once. */
export const answerSuggestion = (...given: Parameters<typeof giveAnswer>): Promise<void> =>
  asChange(giveAnswer(...given));

async function giveAnswer({ list }: ListModel, item: ObjectItem, accept: boolean): Promise<void> {
  const show = (shown: ObjectItem) => list.change((each) => (each.id === item.id ? shown : each));
  problem.value = undefined;
  show(without(accept ? taken(item) : item));
  try {
    await answer(item.id, accept);
  } catch (error) {
    show(item);
    reportFailure(error);
    return;
  }
  noteChange('objects', 'folders');
  // A suggestion that was dropped is gone: the interface can not bring it back.
  if (accept) remember(t().library.did.take(1), [item]);
  else toast(t().library.did.keepMine(isolated(item.display_name)));
}

function remember(label: string, items: readonly ObjectItem[]): void {
  const each = (change: (item: ObjectItem) => Promise<unknown>) => async () => {
    await inLanes(items, change);
    noteChange('objects', 'folders');
  };
  recordChange({ label, undo: each(putBack), redo: each(takeAgain) });
}

/** Takes all suggestions of a list, with one undo. */
export async function takeAllSuggestions(filters: ObjectFilters): Promise<void> {
  problem.value = undefined;
  const hasLocked = watchForLock();
  try {
    const items = await readSuggestions(filters);
    const done: ObjectItem[] = [];
    let failure: unknown;
    await inLanes(items, async (item) => {
      try {
        await answer(item.id, true);
        done.push(item);
      } catch (error) {
        failure = error;
      }
      activity.value = { text: t().library.changing, done: done.length, total: items.length };
    });
    if (hasLocked()) return;
    if (done.length > 0) remember(t().library.did.take(done.length), done);
    if (done.length < items.length)
      problem.value = {
        text: `${t().library.couldNot(items.length - done.length)} ${messageOf(failure)}`,
        retry: () => void takeAllSuggestions(filters),
      };
  } catch (error) {
    if (!hasLocked()) reportFailure(error);
  } finally {
    activity.value = undefined;
    noteChange('objects', 'folders');
  }
}

async function readSuggestions(filters: ObjectFilters): Promise<readonly ObjectItem[]> {
  const items: ObjectItem[] = [];
  let cursor: string | null | undefined;
  do {
    const query = { ...filters, has_suggestion: true, limit: PAGE, ...(cursor && { cursor }) };
    const page = await reply(api.GET('/v1/objects', { params: { query } }));
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor);
  return items;
}

async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

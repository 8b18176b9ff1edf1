import type { BulkAction, BulkItem } from '../../ports/bulk-runs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { canSee, type Zone } from '../hidden-zone/index.ts';
import { DomainError } from '../shared/errors.ts';
import type { TaskNudge } from '../tasks/index.ts';
import { eraseObject, type ContentStores } from './content.ts';
import { applyCategories, applyEdit, applyMove, saveChanged } from './edit.ts';
import { inTrash } from './errors.ts';
import { differenceOf, restoreFields } from './restore-fields.ts';
import { setTrashed } from './trash.ts';

export type ChangeStores = ContentStores & Pick<Stores, 'chats'>;

/** The operation applied to each object. `delete` is permanent. */
export type BulkChange =
  | { readonly action: 'move'; readonly collectionId: string | null }
  | { readonly action: 'categorize'; readonly categories: readonly string[] }
  | { readonly action: Exclude<BulkAction, 'move' | 'categorize'> };

export interface ChangeDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** What became of one object. */
export interface ChangeResult {
  /** `done` or an error code. */
  readonly outcome: string;
  /** The object as it is now; undefined if the caller does not see one. */
  readonly object: StoredObject | undefined;
  readonly change: BulkItem['change'];
  readonly nudges: readonly TaskNudge[];
  /** It was hidden, and is erased. */
  readonly erasedHidden?: boolean;
}

const NOT_FOUND: ChangeResult = {
  outcome: 'not_found',
  object: undefined,
  change: null,
  nudges: [],
};

/** The single operation on one object. It rejects before it writes, so a failure leaves no trace in the batch. */
export async function changeItem(
  deps: ChangeDeps,
  stores: ChangeStores,
  zone: Zone,
  id: string,
  change: BulkChange,
): Promise<ChangeResult> {
  if (change.action !== 'delete')
    return withObject(stores, zone, id, (object) => changed(deps, stores, object, change));
  const object = await stores.objects.find(id);
  if (!object || !canSee(object, zone)) return NOT_FOUND;
  const nudges = await eraseObject(deps, stores, id);
  return { ...NOT_FOUND, outcome: 'done', nudges, erasedHidden: object.isHidden };
}

/** Puts back what a run changed. An object that has another value now is left as it is. */
export const putBackItem = (
  deps: ChangeDeps,
  stores: ChangeStores & Pick<Stores, 'collections'>,
  zone: Zone,
  id: string,
  { from, to }: NonNullable<BulkItem['change']>,
): Promise<ChangeResult> =>
  withObject(stores, zone, id, (object) => restoreFields(deps, stores, object, { from, to }));

async function withObject(
  stores: ChangeStores,
  zone: Zone,
  id: string,
  work: (object: StoredObject) => Promise<StoredObject>,
): Promise<ChangeResult> {
  const before = await stores.objects.find(id);
  if (!before || !canSee(before, zone)) return NOT_FOUND;
  try {
    const object = await work(before);
    return { outcome: 'done', object, change: differenceOf(before, object), nudges: [] };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { outcome: error.code, object: before, change: null, nudges: [] };
  }
}

async function changed(
  deps: ChangeDeps,
  stores: ChangeStores,
  object: StoredObject,
  change: Exclude<BulkChange, { readonly action: 'delete' }>,
): Promise<StoredObject> {
  const now = deps.clock.now();
  const { action } = change;
  if (action === 'trash' || action === 'restore') {
    const isThere = (object.deletedAt !== null) === (action === 'trash');
    return isThere ? object : setTrashed(deps, stores, object, action === 'trash');
  }
  if (object.deletedAt !== null) throw inTrash();
  const after =
    action === 'move'
      ? applyMove(object, change.collectionId, now)
      : action === 'categorize'
        ? applyCategories(object, change.categories, now)
        : applyEdit(object, { isHidden: action === 'hide' }, now);
  await saveChanged(stores, object, after);
  return after;
}

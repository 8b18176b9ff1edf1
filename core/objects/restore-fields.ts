import type { UndoFields } from '../../ports/agent-undos.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { saveChanged } from './edit.ts';
import { changedSince, inTrash } from './errors.ts';

/** The fields that a change of an object set, before and after. */
export interface FieldChange {
  readonly from: UndoFields;
  readonly to: UndoFields;
}

const FIELDS = [
  'collectionId',
  'suggestedCollectionId',
  'categories',
  'deletedAt',
  'isHidden',
  'filename',
  'nameSource',
  'nameLocked',
  'suggestedName',
  'suggestedReason',
] as const satisfies readonly (keyof UndoFields)[];

/** Suggestions change without the owner, so they never prevent an undo. */
const SUGGESTIONS: ReadonlySet<string> = new Set([
  'suggestedCollectionId',
  'suggestedName',
  'suggestedReason',
]);

/** Compared by value, since categories are a list. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** null if no field that can be restored differs. */
export function differenceOf(before: StoredObject, after: StoredObject): FieldChange | null {
  const fields = FIELDS.filter((field) => !isSame(before[field], after[field]));
  if (fields.length === 0) return null;
  const valuesIn = (object: StoredObject): UndoFields =>
    Object.fromEntries(fields.map((field) => [field, object[field]]));
  return { from: valuesIn(before), to: valuesIn(after) };
}

type RestoreStores = Parameters<typeof saveChanged>[0] & Pick<Stores, 'collections'>;

/**
 * Sets fields from `from` to `to`. Ends with `changed_since` if one of them has another value than in `from`, or if the
 * folder is gone, and with `in_trash` if an object in the trash would be moved or renamed.
 */
export async function restoreFields(
  { clock }: { readonly clock: Clock },
  stores: RestoreStores,
  object: StoredObject,
  { from, to }: FieldChange,
): Promise<StoredObject> {
  if (!isUnchanged(object, from)) throw changedSince();
  const isMove = to.collectionId !== undefined;
  const isEdit = isMove || to.filename !== undefined || to.nameLocked !== undefined;
  if (isEdit && object.deletedAt !== null) throw inTrash();
  if (to.collectionId && !(await stores.collections.find(to.collectionId))) throw changedSince();
  const restored: StoredObject = {
    ...object,
    ...to,
    ...(isMove && { suggestedCollectionId: await suggestionAfter(stores, object, { from, to }) }),
    ...laterNameSuggestion(object, from),
    updatedAt: clock.now(),
  };
  await saveChanged(stores, object, restored);
  return restored;
}

const isUnchanged = (object: StoredObject, from: UndoFields): boolean =>
  FIELDS.every(
    (field) =>
      SUGGESTIONS.has(field) || !Object.hasOwn(from, field) || isSame(object[field], from[field]),
  );

/** A suggestion that was made meanwhile remains. */
const laterNameSuggestion = (
  { suggestedName, suggestedReason }: StoredObject,
  from: UndoFields,
): Pick<UndoFields, 'suggestedName' | 'suggestedReason'> =>
  from.suggestedName === undefined || from.suggestedName === suggestedName
    ? {}
    : { suggestedName, suggestedReason };

/** A suggestion that was made or answered meanwhile remains. One of a folder that is gone, or of the target, ends. */
async function suggestionAfter(
  { collections }: Pick<Stores, 'collections'>,
  object: StoredObject,
  { from, to }: FieldChange,
): Promise<string | null> {
  const current = object.suggestedCollectionId;
  const isPutBack =
    to.suggestedCollectionId !== undefined &&
    current === from.suggestedCollectionId &&
    !object.folderAnswered;
  const next = isPutBack ? to.suggestedCollectionId : current;
  if (next === null || next === to.collectionId) return null;
  return next === current || (await collections.find(next)) ? next : null;
}

import { foldName } from '../../ports/library.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { indexObjectMetadata } from '../search/index.ts';
import type { Caller } from '../shared/caller.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { normalizeFilename } from './filename.ts';
import { findEditable, type ObjectView } from './view.ts';

export interface ObjectEdit {
  readonly filename?: string;
  readonly isHidden?: boolean;
}

type EditStores = Pick<Stores, 'objects' | 'search' | 'notifications' | 'bulkRuns' | 'chats'>;

export interface EditDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof EditStores | 'collections' | 'enrichments' | 'pinLock'>;
}

/** Renames an object, or moves it into or out of the hidden zone. */
export async function editObject(
  deps: EditDeps,
  caller: Caller,
  id: string,
  edit: ObjectEdit,
): Promise<ObjectView> {
  return change(deps, caller, id, (object) => applyEdit(object, edit, deps.clock.now()));
}

/** Returns the same object if nothing would change, so that an edit without effect does not change `updatedAt`. */
export function applyEdit(object: StoredObject, edit: ObjectEdit, now: Instant): StoredObject {
  const filename = edit.filename === undefined ? undefined : normalizeFilename(edit.filename);
  const renamed = filename !== undefined && filename !== object.filename;
  const isHidden = edit.isHidden ?? object.isHidden;
  // Confirming the present name is a decision too: automatic renaming is disabled from then on.
  const locks = filename !== undefined && !object.nameLocked;
  if (!renamed && !locks && isHidden === object.isHidden) return object;
  return {
    ...object,
    isHidden,
    ...(filename !== undefined && {
      filename,
      nameSource: 'user',
      nameLocked: true,
      suggestedName: null,
      suggestedReason: null,
    }),
    updatedAt: now,
  };
}

/** Moves an object into a folder, or with null out of its folder. */
export async function moveObject(
  deps: EditDeps,
  caller: Caller,
  id: string,
  collectionId: string | null,
): Promise<ObjectView> {
  return change(deps, caller, id, async (object, stores) => {
    await requireFolder(stores, collectionId);
    return applyMove(object, collectionId, deps.clock.now());
  });
}

/** The same object if it is in the folder already. */
export function applyMove(
  object: StoredObject,
  collectionId: string | null,
  now: Instant,
): StoredObject {
  if (object.collectionId === collectionId) return object;
  return { ...object, collectionId, suggestedCollectionId: null, updatedAt: now };
}

/** Maximum number per object. */
export const MAX_CATEGORIES = 20;
/** Maximum length in code points. */
export const MAX_CATEGORY_LENGTH = 50;

/** Replaces the categories of an object. */
export async function categorizeObject(
  deps: EditDeps,
  caller: Caller,
  id: string,
  categories: readonly string[],
): Promise<ObjectView> {
  return change(deps, caller, id, (object) =>
    applyCategories(object, categories, deps.clock.now()),
  );
}

/** Of names that differ only in case the first is used. The same object if nothing changes. */
export function applyCategories(
  object: StoredObject,
  categories: readonly string[],
  now: Instant,
): StoredObject {
  const byFold = new Map<string, string>();
  for (const name of categories.map(normalizeFilename))
    if (!byFold.has(foldName(name))) byFold.set(foldName(name), name);
  const stored = [...byFold.values()];
  const same =
    stored.length === object.categories.length &&
    stored.every((name, i) => name === object.categories[i]);
  return same ? object : { ...object, categories: stored, updatedAt: now };
}

type Rule = (
  object: StoredObject,
  stores: Pick<Stores, 'collections'>,
) => StoredObject | Promise<StoredObject>;

async function change(deps: EditDeps, caller: Caller, id: string, rule: Rule): Promise<ObjectView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const zone = zoneFor(deps, stores.pinLock, caller);
    // Reads that depend only on the id are sent in the same batch.
    const [object, folder, enrichment] = await Promise.all([
      findEditable(stores, zone, id),
      stores.collections.nameFor(id),
      stores.enrichments.find(id),
    ]);
    const changed = await rule(object, stores);
    await saveChanged(stores, object, changed);
    const stays = changed.collectionId === object.collectionId;
    const collectionName = stays ? folder : await stores.collections.nameFor(id);
    return { object: changed, collectionName, ...(enrichment && { enrichment }) };
  });
}

/** Applies a rule to an object that may be changed, and saves the result if it differs. */
export async function changeOne(
  stores: EditStores,
  zone: Zone,
  id: string,
  rule: (object: StoredObject) => StoredObject | Promise<StoredObject>,
): Promise<StoredObject> {
  const object = await findEditable(stores, zone, id);
  const changed = await rule(object);
  await saveChanged(stores, object, changed);
  return changed;
}

/** Rows and index are independent, so their statements are sent in the same batch. */
export async function saveChanged(
  stores: EditStores,
  object: StoredObject,
  changed: StoredObject,
): Promise<void> {
  if (changed === object) return;
  const { id, isHidden, updatedAt } = changed;
  await Promise.all([
    stores.objects.save(changed),
    indexObjectMetadata(stores.search, changed, object),
    isHidden !== object.isHidden &&
      stores.notifications.setObjectVisibility(id, isHidden, updatedAt),
    isHidden !== object.isHidden && stores.bulkRuns.setObjectVisibility(id, isHidden),
    isHidden !== object.isHidden && stores.chats.setObjectVisibility(id, isHidden),
  ]);
}

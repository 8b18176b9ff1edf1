import { foldName, type Collection } from '../../ports/library.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { canSee, zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { setTrashed } from '../objects/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import { indexObjectMetadata } from '../search/index.ts';
import { recordSecurityEvent, shareEvent, sourceOf } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { nameInUse } from './errors.ts';
import { findNamed } from './names.ts';

export interface CollectionDeps extends ZoneDeps {
  readonly uow: UnitOfWork<
    | 'collections'
    | 'themes'
    | 'objects'
    | 'search'
    | 'chats'
    | 'shares'
    | 'pinLock'
    | 'idempotency'
    | 'securityEvents'
  >;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export interface CollectionView {
  readonly collection: Collection;
  /** Objects in it that are neither hidden nor in the trash. */
  readonly objectCount: number;
}

export interface CollectionEdit {
  readonly name?: string;
  readonly description?: string;
  readonly icon?: string;
  /** null removes the folder from its theme. */
  readonly themeId?: string | null;
}

export async function listCollections(
  deps: CollectionDeps,
  caller: Caller,
  input: PageRequest & { readonly themeId?: string },
): Promise<Page<CollectionView>> {
  return deps.uow.read(caller.scope, async (stores) => {
    const { themeId } = input;
    const zone = await zoneFor(deps, stores.pinLock, caller);
    if (themeId !== undefined && (await unseenThemes(stores, zone, [themeId])).has(themeId))
      return { items: [], total: 0 };
    const page = await stores.collections.page(themeId === undefined ? {} : { themeId }, input);
    const unseen = await unseenThemes(
      stores,
      zone,
      page.items.map((each) => each.themeId),
    );
    const counts = page.items.length
      ? await stores.objects.countVisible(page.items.map((each) => each.id))
      : new Map<string, number>();
    const items = page.items.map((collection) => ({
      collection: withoutUnseen(collection, unseen),
      objectCount: counts.get(collection.id) ?? 0,
    }));
    return { items, total: page.total };
  });
}

export async function getCollection(
  deps: CollectionDeps,
  caller: Caller,
  id: string,
): Promise<CollectionView> {
  return deps.uow.read(caller.scope, async (stores) =>
    viewOf(deps, stores, caller, await found(stores, id)),
  );
}

export async function createCollection(
  deps: CollectionDeps,
  caller: Caller,
  input: CollectionEdit & { readonly name: string },
): Promise<CollectionView> {
  const now = deps.clock.now();
  return deps.uow.write(caller.scope, async (stores) => {
    const themeId = input.themeId ?? null;
    const zone = await zoneFor(deps, stores.pinLock, caller);
    await requireTheme(stores, zone, themeId);
    if (await findNamed(stores, zone, themeId, input.name)) throw nameInUse();
    const collection: Collection = {
      id: deps.random.uuid(),
      name: input.name,
      description: input.description ?? '',
      icon: input.icon ?? '',
      themeId,
      createdAt: now,
      updatedAt: now,
    };
    if (!(await stores.collections.save(collection))) throw nameInUse();
    return saveResponse(stores, deps.clock, caller, { collection, objectCount: 0 });
  });
}

export async function editCollection(
  deps: CollectionDeps,
  caller: Caller,
  id: string,
  edit: CollectionEdit,
): Promise<CollectionView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const collection = await found(stores, id);
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const seen = withoutUnseen(collection, await unseenThemes(stores, zone, [collection.themeId]));
    const { themeId: requestedTheme = seen.themeId, ...rest } = edit;
    const moved = requestedTheme !== seen.themeId;
    if (moved) await requireTheme(stores, zone, requestedTheme);
    const renamed = rest.name !== undefined && foldName(rest.name) !== foldName(seen.name);
    const twin =
      moved || renamed
        ? await findNamed(stores, zone, requestedTheme, rest.name ?? seen.name)
        : undefined;
    if (twin && twin.id !== id) throw nameInUse();
    const edited: Collection = {
      ...collection,
      ...rest,
      ...(edit.themeId !== undefined && { themeId: requestedTheme }),
      updatedAt: deps.clock.now(),
    };
    if (!(await stores.collections.save(edited))) throw nameInUse();
    return viewOf(deps, stores, caller, edited);
  });
}

const BATCH = 200;

/**
 * Deletes a folder. Its objects become unfiled, or are moved to the trash. Runs in one transaction, so that no caller
 * sees a partly emptied folder.
 */
export async function deleteCollection(
  deps: CollectionDeps,
  caller: Caller,
  id: string,
  objects: 'keep' | 'trash',
): Promise<void> {
  await deps.uow.write(caller.scope, async (stores) => {
    await found(stores, id);
    const zone = await zoneFor(deps, stores.pinLock, caller);
    await dropCollection(deps, stores, caller, zone, id, objects);
  });
}

/** The same within a unit of work, for an existing folder. */
export async function dropCollection(
  deps: Omit<CollectionDeps, 'uow'>,
  stores: Pick<Stores, 'collections' | 'objects' | 'search' | 'chats'> & SharedStores,
  caller: Caller,
  zone: Zone,
  id: string,
  objects: 'keep' | 'trash',
): Promise<void> {
  const now = deps.clock.now();
  for (;;) {
    // Each batch leaves the folder, so the next batch always starts at the beginning.
    const ids = await stores.objects.idsIn(id, null, BATCH);
    for (const object of await stores.objects.findMany(ids)) {
      const out = { ...object, collectionId: null, updatedAt: now };
      // Objects that the caller may not see are not moved to the trash.
      if (objects === 'trash' && object.deletedAt === null && canSee(object, zone))
        await setTrashed(deps, stores, out, true);
      else {
        await stores.objects.save(out);
        await indexObjectMetadata(stores.search, out, object);
      }
    }
    if (ids.length < BATCH) break;
  }
  await stores.chats.leaveCollection(id);
  await endShares(deps, stores, caller, id);
  await stores.collections.remove(id);
}

type SharedStores = Pick<Stores, 'shares' | 'securityEvents'>;

/** The links to a folder end with it: the log has to say so of each. */
async function endShares(
  deps: Omit<CollectionDeps, 'uow'>,
  stores: SharedStores,
  caller: Caller,
  folderId: string,
): Promise<void> {
  const filter = { sight: 'any', kind: 'folder', resourceId: folderId } as const;
  for (let offset = 0; ; offset += BATCH) {
    const { items } = await stores.shares.page(filter, { limit: BATCH, offset });
    for (const share of items) {
      const effect = 'was revoked, because the folder was deleted';
      const event = shareEvent(share, 'revoked', effect, { cause: 'folder_deleted' });
      await recordSecurityEvent(deps, stores, sourceOf(caller), event);
    }
    if (items.length < BATCH) break;
  }
  await stores.shares.removeOf('folder', folderId);
}

async function found(stores: Pick<Stores, 'collections'>, id: string): Promise<Collection> {
  const collection = await stores.collections.find(id);
  if (!collection) throw notFound();
  return collection;
}

async function requireTheme(
  stores: Pick<Stores, 'themes'>,
  zone: Zone,
  themeId: string | null,
): Promise<void> {
  if (themeId === null) return;
  const theme = await stores.themes.find(themeId);
  if (!theme || (theme.isHidden && zone === 'closed')) throw notFound();
}

async function viewOf(
  deps: CollectionDeps,
  stores: Pick<Stores, 'objects' | 'themes' | 'pinLock'>,
  caller: Caller,
  collection: Collection,
): Promise<CollectionView> {
  const zone = await zoneFor(deps, stores.pinLock, caller);
  const unseen = await unseenThemes(stores, zone, [collection.themeId]);
  const counts = await stores.objects.countVisible([collection.id]);
  return {
    collection: withoutUnseen(collection, unseen),
    objectCount: counts.get(collection.id) ?? 0,
  };
}

/** Those of the themes that a locked zone conceals from the caller. */
async function unseenThemes(
  stores: Pick<Stores, 'themes'>,
  zone: Zone,
  themeIds: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const unseen = new Set<string>();
  if (zone !== 'closed') return unseen;
  for (const id of new Set(themeIds))
    if (id !== null && (await stores.themes.find(id))?.isHidden) unseen.add(id);
  return unseen;
}

/** A folder of such a theme looks like one without a theme. */
const withoutUnseen = (collection: Collection, unseen: ReadonlySet<string>): Collection =>
  collection.themeId !== null && unseen.has(collection.themeId)
    ? { ...collection, themeId: null }
    : collection;

import type { Enrichment } from '../../ports/enrichments.ts';
import type { ObjectFilter, ObjectPosition, StoredObject } from '../../ports/objects.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { ObjectFeatures, KnownTheme, ExistingFolder } from './plan-types.ts';

export type FeatureStores = Pick<Stores, 'objects' | 'enrichments' | 'collections' | 'themes'>;

export interface FeatureDeps {
  readonly uow: UnitOfWork<keyof FeatureStores>;
  readonly scheduler: Scheduler;
}

const OBJECTS_AT_ONCE = 200;
const PLACES_AT_ONCE = 100;

const VISIBLE = { visibility: 'visible', trashed: false } as const;

export interface FeaturePage {
  readonly cards: readonly ObjectFeatures[];
  /** Where the next page begins, null if there is none. */
  readonly next: ObjectPosition | null;
}

/** Feature vectors of visible objects outside the trash, newest first, from a position on, at most `most`. */
export async function loadFeatures(
  deps: FeatureDeps,
  scope: OwnerScope,
  where: Pick<ObjectFilter, 'collectionId'>,
  most: number,
  from: ObjectPosition | null = null,
): Promise<FeaturePage> {
  const cards: ObjectFeatures[] = [];
  let next = from;
  for (;;) {
    const limit = Math.min(OBJECTS_AT_ONCE, most - cards.length);
    if (limit <= 0) return { cards, next };
    const page = await deps.uow.read(scope, async (stores) => {
      const request = next ? { limit, after: next } : { limit, offset: 0 };
      const found = await stores.objects.page({ ...VISIBLE, ...where }, request);
      return { cards: await cardsOf(stores, found.items), next: found.next };
    });
    cards.push(...page.cards);
    next = page.next;
    if (!next) return { cards, next };
    await deps.scheduler.yield();
  }
}

/** The number of objects that `loadFeatures` would return. */
export const countObjects = (
  deps: FeatureDeps,
  scope: OwnerScope,
  where: Pick<ObjectFilter, 'collectionId'>,
): Promise<number> =>
  deps.uow.read(scope, (stores) => stores.objects.count({ ...VISIBLE, ...where }));

export async function cardsOf(
  stores: Pick<Stores, 'enrichments'>,
  objects: readonly StoredObject[],
): Promise<readonly ObjectFeatures[]> {
  const found = await stores.enrichments.findMany(objects.map(({ id }) => id));
  const byObject = new Map(found.map((enrichment) => [enrichment.objectId, enrichment]));
  return objects.map((object) => cardOf(object, byObject.get(object.id)));
}

export const cardOf = (
  object: StoredObject,
  enrichment: Pick<Enrichment, 'language' | 'keywords' | 'entities'> | undefined,
): ObjectFeatures => ({
  objectId: object.id,
  filename: object.filename,
  title: object.title,
  summary: object.summary,
  kind: object.kind,
  docType: object.docType,
  language: enrichment?.language ?? '',
  keywords: enrichment?.keywords ?? [],
  organizations: texts(enrichment?.entities['organizations']),
  collectionId: object.collectionId,
});

/** A value written by a model may not be a list of strings. */
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** The visible folders and themes, at most `most` of each. A folder of a hidden theme counts as without a theme. */
export async function loadFolders(
  deps: FeatureDeps,
  scope: OwnerScope,
  most: number,
): Promise<{
  readonly shelves: readonly ExistingFolder[];
  readonly themes: readonly KnownTheme[];
}> {
  const themes = await readAll(most, (request) =>
    deps.uow.read(scope, (stores) => stores.themes.page({ includeHidden: false }, request)),
  );
  const names = new Map(themes.map(({ id, name }) => [id, name]));
  const folders = await readAll(most, (request) =>
    deps.uow.read(scope, (stores) => stores.collections.page({}, request)),
  );
  const shelves = folders.map(({ id, name, description, themeId }) => {
    const themeName = themeId === null ? undefined : names.get(themeId);
    return {
      collectionId: id,
      name,
      description,
      themeId: themeName === undefined ? null : themeId,
      themeName: themeName ?? '',
    };
  });
  return { shelves, themes: themes.map(({ id, name }) => ({ id, name })) };
}

async function readAll<T>(
  most: number,
  page: (request: { limit: number; offset: number }) => Promise<{ readonly items: readonly T[] }>,
): Promise<readonly T[]> {
  const all: T[] = [];
  while (all.length < most) {
    const limit = Math.min(PLACES_AT_ONCE, most - all.length);
    const { items } = await page({ limit, offset: all.length });
    all.push(...items);
    if (items.length < limit) break;
  }
  return all;
}

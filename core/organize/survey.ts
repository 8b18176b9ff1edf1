import type { Enrichment } from '../../ports/enrichments.ts';
import type { ObjectFilter, ObjectPosition, StoredObject } from '../../ports/objects.ts';
import type { Breather } from '../../ports/time-and-ids.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Card, KnownTheme, Shelf } from './shelves.ts';

export type SurveyStores = Pick<Stores, 'objects' | 'enrichments' | 'collections' | 'themes'>;

export interface SurveyDeps {
  readonly uow: UnitOfWork<keyof SurveyStores>;
  readonly breather: Breather;
}

const OBJECTS_AT_ONCE = 200;
const PLACES_AT_ONCE = 100;

const VISIBLE = { visibility: 'visible', trashed: false } as const;

/** Cards of visible objects outside the trash, newest first, at most `most`; and how many there are in all. */
export async function readCards(
  deps: SurveyDeps,
  scope: OwnerScope,
  where: Pick<ObjectFilter, 'collectionId'>,
  most: number,
): Promise<{ readonly cards: readonly Card[]; readonly total: number }> {
  const cards: Card[] = [];
  let after: ObjectPosition | undefined;
  for (;;) {
    const limit = Math.min(OBJECTS_AT_ONCE, most - cards.length);
    const page = await deps.uow.read(scope, async (stores) => {
      const from = after ? { limit, after } : { limit, offset: 0 };
      const { items, next, total } = await stores.objects.page({ ...VISIBLE, ...where }, from);
      return { cards: await cardsOf(stores, items), next, total };
    });
    cards.push(...page.cards);
    if (!page.next) return { cards, total: cards.length };
    if (cards.length >= most) return { cards, total: Math.max(page.total, cards.length) };
    after = page.next;
    await deps.breather.breathe();
  }
}

export async function cardsOf(
  stores: Pick<Stores, 'enrichments'>,
  objects: readonly StoredObject[],
): Promise<readonly Card[]> {
  const found = await stores.enrichments.findMany(objects.map(({ id }) => id));
  const byObject = new Map(found.map((enrichment) => [enrichment.objectId, enrichment]));
  return objects.map((object) => cardOf(object, byObject.get(object.id)));
}

export const cardOf = (
  object: StoredObject,
  told: Pick<Enrichment, 'language' | 'keywords' | 'entities'> | undefined,
): Card => ({
  objectId: object.id,
  filename: object.filename,
  title: object.title,
  summary: object.summary,
  kind: object.kind,
  docType: object.docType,
  language: told?.language ?? '',
  keywords: told?.keywords ?? [],
  organizations: texts(told?.entities['organizations']),
  collectionId: object.collectionId,
});

/** What a model has written need not be a list of texts. */
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** The folders and themes that anybody may see, at most `most` of each; a folder of a hidden theme has none. */
export async function readShelves(
  deps: SurveyDeps,
  scope: OwnerScope,
  most: number,
): Promise<{ readonly shelves: readonly Shelf[]; readonly themes: readonly KnownTheme[] }> {
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

import { foldName, type Collection, type Theme } from '../../ports/library.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import { placeOf } from './ids.ts';
import type { Outgoing, Part, Source, Target, TransferStores } from './part.ts';
import { collectionShape, themeShape } from './records.ts';
import type { Shape } from './shapes.ts';

const AT_ONCE = 100;

export const themesPart: Part<Theme> = {
  name: 'themes',
  async *out(source) {
    const includeHidden = source.zone !== 'closed';
    yield* linesOf(source, themeShape, ({ themes }, request) =>
      themes.page({ includeHidden }, request),
    );
  },
  reader: () => (sent) => themeShape.read(sent, ''),
  needs: () => [],
  atOnce: AT_ONCE,
  take: (target, records) =>
    target.write(async (stores) => {
      for (const theme of records) await takeTheme(target, stores, theme);
    }),
};

export const collectionsPart: Part<Collection> = {
  name: 'collections',
  async *out(source) {
    const hidden = new Set<string>();
    yield* linesOf(source, collectionShape, async (stores, request) => {
      const page = await stores.collections.page({}, request);
      if (source.zone !== 'closed') return page;
      for (const { themeId } of page.items)
        if (themeId !== null && (await stores.themes.find(themeId))?.isHidden) hidden.add(themeId);
      const seen = (themeId: string | null) => themeId === null || !hidden.has(themeId);
      const items = page.items.map((it) => (seen(it.themeId) ? it : { ...it, themeId: null }));
      return { ...page, items };
    });
  },
  reader: () => (sent) => collectionShape.read(sent, ''),
  needs: () => [],
  atOnce: AT_ONCE,
  take: (target, records) =>
    target.write(async (stores) => {
      for (const collection of records) await takeCollection(target, stores, collection);
    }),
};

/** The records of one state, a line each: there are few of them, and a list by name has no fixed places. */
async function* linesOf<T>(
  { deps, caller }: Source,
  shape: Shape<T>,
  page: (stores: TransferStores, request: PageRequest) => Promise<Page<T>>,
): AsyncIterable<Outgoing> {
  const all = await deps.uow.read(caller.scope, async (stores) => {
    const found: T[] = [];
    for (;;) {
      const { items } = await page(stores, { limit: AT_ONCE, offset: found.length });
      found.push(...items);
      if (items.length < AT_ONCE) return found;
      await deps.breather.breathe();
    }
  });
  for (const record of all) yield { line: shape.write(record), counts: true };
}

async function takeTheme(target: Target, stores: TransferStores, theme: Theme): Promise<void> {
  const { zone, moved, tallies, deps } = target;
  /** What a closed zone keeps from the caller may not be told from what is not there. */
  const seen = (held: Theme) => zone !== 'closed' || !held.isHidden || theme.isHidden;
  const same = (held: Theme) => held.createdAt === theme.createdAt && seen(held);
  const { id, held } = await placeOf(
    deps.digests,
    theme,
    'theme',
    (wanted) => stores.themes.find(wanted),
    same,
  );
  const told = zone === 'closed' && theme.isHidden;
  if (held) {
    settle(moved.themes, theme.id, id);
    tallies.themes[told ? 'created' : 'unchanged']++;
    return;
  }
  const twin = await namedTheme(target, stores, theme);
  if (twin) {
    settle(moved.themes, theme.id, twin.id);
    tallies.themes[told ? 'created' : 'merged']++;
    return;
  }
  if (settle(moved.themes, theme.id, id) && !(await concealed(target, stores, theme.id)))
    target.newIds++;
  await stores.themes.save({ ...theme, id });
  tallies.themes.created++;
}

async function concealed(
  { zone }: Target,
  { themes }: TransferStores,
  id: string,
): Promise<boolean> {
  return zone === 'closed' && (await themes.find(id))?.isHidden === true;
}

/** A theme of the same name and kind that did not come from this archive, in which two may well be named alike. */
async function namedTheme(
  { zone, themeIds }: Target,
  { themes }: TransferStores,
  theme: Theme,
): Promise<Theme | undefined> {
  const name = foldName(theme.name);
  const includeHidden = zone !== 'closed' || theme.isHidden;
  for (let offset = 0; ; offset += AT_ONCE) {
    const { items } = await themes.page({ includeHidden }, { limit: AT_ONCE, offset });
    const twin = items.find(
      (each) =>
        foldName(each.name) === name && each.isHidden === theme.isHidden && !themeIds.has(each.id),
    );
    if (twin || items.length < AT_ONCE) return twin;
  }
}

async function takeCollection(
  target: Target,
  stores: TransferStores,
  collection: Collection,
): Promise<void> {
  const { moved, tallies, deps } = target;
  const { id, held } = await placeOf(
    deps.digests,
    collection,
    'collection',
    (wanted) => stores.collections.find(wanted),
    (there) => there.createdAt === collection.createdAt,
  );
  if (held) {
    settle(moved.collections, collection.id, id);
    tallies.collections.unchanged++;
    return;
  }
  const { themeId } = collection;
  const theme =
    themeId === null ? undefined : await stores.themes.find(moved.themes.get(themeId) ?? themeId);
  const place = theme?.id ?? null;
  const twin = await stores.collections.named(place, collection.name);
  if (twin) {
    settle(moved.collections, collection.id, twin.id);
    tallies.collections.merged++;
    return;
  }
  if (settle(moved.collections, collection.id, id)) target.newIds++;
  await stores.collections.save({ ...collection, id, themeId: place });
  tallies.collections.created++;
}

/** Remembers where a record went; answers whether that is elsewhere. */
export function settle(moved: Map<string, string>, from: string, to: string): boolean {
  if (from === to) return false;
  moved.set(from, to);
  return true;
}

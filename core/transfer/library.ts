import { foldName, type Collection, type Theme } from '../../ports/library.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import { findNamed } from '../library/index.ts';
import { resolveImportId } from './import-ids.ts';
import type { ArchiveItem, Part, Source, Target, TransferStores } from './part.ts';
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
  importRecords: (target, records) =>
    target.write(async (stores) => {
      for (const theme of records) await importTheme(target, stores, theme);
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
  importRecords: (target, records) =>
    target.write(async (stores) => {
      for (const collection of records) await importCollection(target, stores, collection);
    }),
};

/**
 * The records in one consistent state, one per line: there are few of them, and a list ordered by name has no stable
 * positions.
 */
async function* linesOf<T>(
  { deps, caller }: Source,
  shape: Shape<T>,
  page: (stores: TransferStores, request: PageRequest) => Promise<Page<T>>,
): AsyncIterable<ArchiveItem> {
  const all = await deps.uow.read(caller.scope, async (stores) => {
    const found: T[] = [];
    for (;;) {
      const { items } = await page(stores, { limit: AT_ONCE, offset: found.length });
      found.push(...items);
      if (items.length < AT_ONCE) return found;
      await deps.scheduler.yield();
    }
  });
  for (const record of all) yield { line: shape.write(record), counts: true };
}

async function importTheme(target: Target, stores: TransferStores, theme: Theme): Promise<void> {
  const { zone, moved, tallies, deps } = target;
  const isClosed = zone === 'closed';
  if (isClosed && !theme.isHidden) return importVisibleTheme(target, stores, theme);
  const { id, held } = await resolveImportId(
    deps.digests,
    theme,
    'theme',
    (input) => stores.themes.find(input),
    (there) => there.createdAt === theme.createdAt,
  );
  // Records concealed from the caller by the locked zone always count as new.
  if (isClosed) {
    target.newIds++;
    target.concealed.newIds++;
    target.concealed.themes.created++;
  }
  if (held) {
    recordIdMapping(moved.themes, theme.id, id);
    tallies.themes[isClosed ? 'created' : 'unchanged']++;
    return;
  }
  const [twin] = await namedThemes(target, stores, theme);
  if (twin) {
    recordIdMapping(moved.themes, theme.id, twin.id);
    tallies.themes[isClosed ? 'created' : 'merged']++;
    return;
  }
  if (recordIdMapping(moved.themes, theme.id, id) && !isClosed) target.newIds++;
  await stores.themes.save({ ...theme, id });
  tallies.themes.created++;
}

/**
 * While the zone is locked, a visible theme is matched with visible themes only, and gets a random id if there is
 * none: a derived id would differ if a hidden theme had it already.
 */
async function importVisibleTheme(
  target: Target,
  stores: TransferStores,
  theme: Theme,
): Promise<void> {
  const { moved, tallies, deps, matchedThemeIds } = target;
  const isSame = (held: Theme) => held.createdAt === theme.createdAt;
  const own = await stores.themes.find(theme.id);
  if (own && !own.isHidden && isSame(own)) {
    tallies.themes.unchanged++;
    return;
  }
  const twins = (await namedThemes(target, stores, theme)).filter(
    ({ id }) => !matchedThemeIds.has(id),
  );
  const twin = twins.find(isSame) ?? twins[0];
  if (twin) {
    recordIdMapping(moved.themes, theme.id, twin.id);
    tallies.themes[isSame(twin) ? 'unchanged' : 'merged']++;
    // Two themes with the same name must not be merged into one.
    if (isSame(twin)) matchedThemeIds.add(twin.id);
    return;
  }
  const id = deps.random.uuid();
  recordIdMapping(moved.themes, theme.id, id);
  matchedThemeIds.add(id);
  target.newIds++;
  await stores.themes.save({ ...theme, id });
  tallies.themes.created++;
}

/**
 * Themes of the same name and visibility that did not come from this archive, which may itself contain two of a name.
 */
async function namedThemes(
  { zone, themeIds }: Target,
  { themes }: TransferStores,
  theme: Theme,
): Promise<readonly Theme[]> {
  const name = foldName(theme.name);
  const includeHidden = zone !== 'closed' || theme.isHidden;
  const found: Theme[] = [];
  for (let offset = 0; ; offset += AT_ONCE) {
    const { items } = await themes.page({ includeHidden }, { limit: AT_ONCE, offset });
    found.push(
      ...items.filter(
        (each) =>
          foldName(each.name) === name &&
          each.isHidden === theme.isHidden &&
          !themeIds.has(each.id),
      ),
    );
    if (items.length < AT_ONCE) return found;
  }
}

async function importCollection(
  target: Target,
  stores: TransferStores,
  collection: Collection,
): Promise<void> {
  const { moved, tallies, deps } = target;
  const { id, held } = await resolveImportId(
    deps.digests,
    collection,
    'collection',
    (input) => stores.collections.find(input),
    (there) => there.createdAt === collection.createdAt,
  );
  if (held) {
    recordIdMapping(moved.collections, collection.id, id);
    tallies.collections.unchanged++;
    return;
  }
  const place = await themeFor(target, stores, collection);
  const twin = await findNamed(stores, target.zone, place, collection.name);
  if (twin) {
    recordIdMapping(moved.collections, collection.id, twin.id);
    tallies.collections.merged++;
    return;
  }
  if (recordIdMapping(moved.collections, collection.id, id)) target.newIds++;
  await stores.collections.save({ ...collection, id, themeId: place });
  tallies.collections.created++;
}

/**
 * The theme of an imported folder. While the zone is locked, a hidden theme counts only if it came from the archive,
 * and is left unchanged if it has such a folder already: whether a name is free in it must make no difference.
 */
async function themeFor(
  target: Target,
  stores: TransferStores,
  { themeId, name }: Collection,
): Promise<string | null> {
  if (themeId === null) return null;
  const { zone, moved, themeIds, deps } = target;
  const theme = await stores.themes.find(moved.themes.get(themeId) ?? themeId);
  if (!theme) return null;
  if (zone !== 'closed' || !theme.isHidden) return theme.id;
  if (!themeIds.has(themeId)) return null;
  if (!(await stores.collections.named(theme.id, name))) return theme.id;
  const id = deps.random.uuid();
  await stores.themes.save({ ...theme, id });
  recordIdMapping(moved.themes, themeId, id);
  return id;
}

/** Records the id of an imported record; returns whether it differs from the original. */
export function recordIdMapping(moved: Map<string, string>, from: string, to: string): boolean {
  if (from === to) return false;
  moved.set(from, to);
  return true;
}

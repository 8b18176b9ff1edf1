import type { Collection } from '../../ports/library.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Zone } from '../hidden-zone/index.ts';

/**
 * The folder that has the name in a theme or in none, as seen by the caller. While the zone is locked, a folder of a
 * hidden theme looks like one without a theme. Its name counts as used, since a free name would reveal the theme.
 */
export async function findNamed(
  stores: Pick<Stores, 'collections' | 'themes'>,
  zone: Zone,
  themeId: string | null,
  name: string,
): Promise<Collection | undefined> {
  const there = await stores.collections.named(themeId, name);
  if (there || themeId !== null || zone !== 'closed') return there;
  for (const each of await stores.collections.allNamed(name))
    if (each.themeId !== null && (await stores.themes.find(each.themeId))?.isHidden) return each;
  return undefined;
}

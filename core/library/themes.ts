import type { CollectionStore, Theme } from '../../ports/library.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { findNamed } from './names.ts';

const BATCH = 200;

export interface ThemeDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'themes' | 'collections' | 'pinLock' | 'idempotency'>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export interface ThemeView {
  readonly theme: Theme;
  readonly folderCount: number;
}

export interface ThemeEdit {
  readonly name?: string;
  readonly icon?: string;
  readonly isHidden?: boolean;
}

/** Hidden themes are listed only on request, and never while the zone is locked. */
export async function listThemes(
  deps: ThemeDeps,
  caller: Caller,
  input: PageRequest & { readonly includeHidden: boolean },
): Promise<Page<ThemeView>> {
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const includeHidden = input.includeHidden && zone !== 'closed';
    const page = await stores.themes.page({ includeHidden }, input);
    return { total: page.total, items: await themeViews(stores, page.items) };
  });
}

export async function createTheme(
  deps: ThemeDeps,
  caller: Caller,
  input: ThemeEdit & { readonly name: string },
): Promise<ThemeView> {
  const now = deps.clock.now();
  const theme: Theme = {
    id: deps.random.uuid(),
    name: input.name,
    icon: input.icon ?? '',
    isHidden: input.isHidden ?? false,
    createdAt: now,
    updatedAt: now,
  };
  return deps.uow.write(caller.scope, async (stores) => {
    await stores.themes.save(theme);
    return saveResponse(stores, deps.clock, caller, { theme, folderCount: 0 });
  });
}

export async function editTheme(
  deps: ThemeDeps,
  caller: Caller,
  id: string,
  edit: ThemeEdit,
): Promise<ThemeView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const theme = seen(await stores.themes.find(id), zone);
    const edited: Theme = {
      ...theme,
      ...(edit.name !== undefined && { name: edit.name }),
      ...(edit.icon !== undefined && { icon: edit.icon }),
      ...(edit.isHidden !== undefined && { isHidden: edit.isHidden }),
      updatedAt: deps.clock.now(),
    };
    await stores.themes.save(edited);
    const counts = await stores.collections.countByTheme([id]);
    return { theme: edited, folderCount: counts.get(id) ?? 0 };
  });
}

/** Its folders remain, without a theme. */
export async function deleteTheme(deps: ThemeDeps, caller: Caller, id: string): Promise<void> {
  await deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    seen(await stores.themes.find(id), zone);
    if (zone === 'closed') await freeFolders(deps, stores, id);
    else await stores.collections.leaveTheme(id, deps.clock.now());
    await stores.themes.remove(id);
  });
}

/** `leaveTheme` while the zone is locked: names of folders in hidden themes count as used as well. */
async function freeFolders(
  deps: ThemeDeps,
  stores: Pick<Stores, 'collections' | 'themes'>,
  themeId: string,
): Promise<void> {
  const updatedAt = deps.clock.now();
  const isInUse = (name: string) => findNamed(stores, 'closed', null, name);
  for (;;) {
    // Each batch leaves the theme, so the next batch always starts at the beginning.
    const { items } = await stores.collections.page({ themeId }, { limit: BATCH, offset: 0 });
    for (const collection of items) {
      let { name } = collection;
      for (let n = 2; await isInUse(name); n++) name = `${collection.name} (${n})`;
      await stores.collections.save({ ...collection, name, themeId: null, updatedAt });
    }
    if (items.length < BATCH) return;
  }
}

function seen(theme: Theme | undefined, zone: Zone): Theme {
  if (!theme || (theme.isHidden && zone === 'closed')) throw notFound();
  return theme;
}

async function themeViews(
  stores: { readonly collections: CollectionStore },
  themes: readonly Theme[],
): Promise<readonly ThemeView[]> {
  if (themes.length === 0) return [];
  const counts = await stores.collections.countByTheme(themes.map((theme) => theme.id));
  return themes.map((theme) => ({ theme, folderCount: counts.get(theme.id) ?? 0 }));
}

import {
  foldName,
  type Collection,
  type CollectionStore,
  type Theme,
  type ThemeStore,
} from '../../ports/library.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import { boundToFolders } from './errors.ts';
import type { FolderView } from './folder-view.ts';

/**
 * The folders of the view. A token is bound to few of them, so each is read by its id. They can not be changed: a name
 * must differ from those of folders outside, so a change would reveal these.
 */
export function collectionsOf(view: FolderView): CollectionStore {
  const { collections } = view.stores;
  return {
    find: async (id) => (view.has(id) ? collections.find(id) : undefined),
    named: async (themeId, name) =>
      (await foldersIn(view)).find(
        (each) => each.themeId === themeId && foldName(each.name) === foldName(name),
      ),
    allNamed: async (name) =>
      (await foldersIn(view))
        .filter((each) => foldName(each.name) === foldName(name))
        .sort((a, b) => compare(a.id, b.id)),
    names: (ids) => collections.names(ids.filter((id) => view.has(id))),
    nameFor: async (objectId) =>
      (await view.object(objectId)) ? collections.nameFor(objectId) : null,
    page: async ({ themeId }, request) => {
      const folders = await foldersIn(view);
      const listed = folders.filter((each) => themeId === undefined || each.themeId === themeId);
      return pageOf(listed, request);
    },
    countByTheme: async (themeIds) => {
      const folders = await foldersIn(view);
      return new Map(
        themeIds.map((id) => [id, folders.filter(({ themeId }) => themeId === id).length]),
      );
    },
    save: () => Promise.reject(boundToFolders()),
    remove: () => Promise.reject(boundToFolders()),
    leaveTheme: () => Promise.reject(boundToFolders()),
  };
}

/** The themes that contain a folder of the view. */
export function themesOf(view: FolderView): ThemeStore {
  const { themes } = view.stores;
  const themeIds = async () =>
    new Set((await foldersIn(view)).flatMap(({ themeId }) => (themeId === null ? [] : [themeId])));
  return {
    find: async (id) => ((await themeIds()).has(id) ? themes.find(id) : undefined),
    page: async ({ includeHidden }, request) => {
      const found: Theme[] = [];
      for (const id of await themeIds()) {
        const theme = await themes.find(id);
        if (theme && (includeHidden || !theme.isHidden)) found.push(theme);
      }
      return pageOf(found, request);
    },
    save: () => Promise.reject(boundToFolders()),
    remove: () => Promise.reject(boundToFolders()),
  };
}

async function foldersIn({ stores, folderIds }: FolderView): Promise<readonly Collection[]> {
  const found: Collection[] = [];
  for (const id of folderIds) {
    const folder = await stores.collections.find(id);
    if (folder) found.push(folder);
  }
  return found;
}

function pageOf<T extends { readonly id: string; readonly name: string }>(
  all: readonly T[],
  { limit, offset }: PageRequest,
): Page<T> {
  const sorted = [...all].sort(
    (a, b) => compare(foldName(a.name), foldName(b.name)) || compare(a.id, b.id),
  );
  return { items: sorted.slice(offset, offset + limit), total: sorted.length };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

import { computed, effect, signal } from '@preact/signals';
import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import type { components } from '../api/schema.js';
import { isDrawn } from '../state/drawn.ts';
import { isSignedIn } from '../state/session-state.ts';
import { onLock } from '../state/zone-token.ts';
import { revisionOf } from './live.ts';

export type Folder = components['schemas']['Collection'];
export type Theme = components['schemas']['Theme'];

const PAGE = 100;
/** More are found by the palette. */
const MAX_FOLDERS = 2_000;

export const folders = signal<readonly Folder[]>([]);
export const themes = signal<readonly Theme[]>([]);
export const folderError = signal<unknown>(undefined);

/** Folders by theme, in the order of the themes; those without one come last. */
export const foldersByTheme = computed(() => {
  const groups = Map.groupBy(folders.value, ({ theme_id }) => theme_id);
  return [
    ...themes.value.map((theme) => ({ theme, folders: groups.get(theme.id) ?? [] })),
    ...(groups.has(null) ? [{ theme: undefined, folders: groups.get(null) ?? [] }] : []),
  ];
});

export const folderOf = (id: string | null): Folder | undefined =>
  folders.value.find((folder) => folder.id === id);

export async function loadFolders(): Promise<void> {
  try {
    const [loadedFolders, loadedThemes] = await Promise.all([
      readAll((offset) =>
        reply(api.GET('/v1/collections', { params: { query: { limit: PAGE, offset } } })),
      ),
      readAll((offset) =>
        reply(api.GET('/v1/themes', { params: { query: { limit: PAGE, offset } } })),
      ),
    ]);
    folders.value = loadedFolders;
    themes.value = loadedThemes;
    folderError.value = undefined;
  } catch (error) {
    folderError.value = error;
  }
}

interface PageOf<T> {
  readonly items: readonly T[];
  readonly total: number;
}

async function readAll<T>(read: (offset: number) => Promise<PageOf<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for (;;) {
    const { items, total } = await read(all.length);
    all.push(...items);
    if (items.length === 0 || all.length >= Math.min(total, MAX_FOLDERS)) return all;
  }
}

onLock(() => void loadFolders());

effect(() => {
  // Read, so that every change of the folders loads them again.
  const revision = revisionOf('folders').value;
  if (isSignedIn.value && isDrawn.value && revision >= 0) void loadFolders();
});

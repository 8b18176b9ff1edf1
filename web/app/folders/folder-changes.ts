import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { changeMany, type BulkChange } from '../../data/bulk.ts';
import type { Folder, Theme } from '../../data/folders.ts';
import { noteChange } from '../../data/live.ts';
import { currentId, noteSuccessor } from '../../data/successors.ts';
import { t } from '../../i18n/language.ts';
import { asChange, recordChange } from '../../state/undo.ts';
import { toast } from '../../ui/toasts.tsx';
import { isolated } from '../../i18n/isolated.ts';

const PAGE = 100;
/** A deleted folder with more documents can not be put back. */
const MAX_PUT_BACK = 2_000;

export interface FolderText {
  readonly name: string;
  readonly description: string;
  /** Empty: in no theme. */
  readonly theme_id: string;
}

/** Makes the change, reports it with its inverse, and loads the folders again. */
const change = (
  label: string,
  redo: () => Promise<unknown>,
  undo: () => Promise<unknown>,
): Promise<void> => asChange(redo().then(() => remember(label, redo, undo)));

/** The same for what gets an id by being made. */
const creation = (
  label: string,
  make: () => Promise<{ readonly id: string }>,
  undo: (id: string) => Promise<unknown>,
): Promise<void> =>
  asChange(
    make().then(({ id }) =>
      remember(
        label,
        () => again(id, make),
        () => undo(id),
      ),
    ),
  );

/** Reports a change that was made. */
function remember(label: string, redo: () => Promise<unknown>, undo: () => Promise<unknown>): void {
  const noted = (work: () => Promise<unknown>) => async () => {
    await work();
    noteChange('folders', 'objects');
  };
  noteChange('folders', 'objects');
  recordChange({ label, undo: noted(undo), redo: noted(redo) });
}

const edit = (id: string, text: FolderText) =>
  reply(
    api.PATCH('/v1/collections/{collection_id}', {
      params: { path: { collection_id: currentId(id) } },
      body: { ...text, theme_id: currentId(text.theme_id) },
    }),
  );

const remove = (id: string, objects?: 'trash') =>
  reply(
    api.DELETE('/v1/collections/{collection_id}', {
      params: { path: { collection_id: currentId(id) }, ...(objects && { query: { objects } }) },
    }),
  );

const create = ({ theme_id: theme, ...text }: FolderText) =>
  reply(
    api.POST('/v1/collections', {
      body: { ...text, ...(theme && { theme_id: currentId(theme) }) },
    }),
  );

/** Makes what was deleted again: under another id. */
async function again(id: string, create: () => Promise<{ readonly id: string }>): Promise<void> {
  noteSuccessor(currentId(id), (await create()).id);
}

export const createFolder = (text: FolderText): Promise<void> =>
  creation(t().library.did.createFolder(isolated(text.name)), () => create(text), remove);

export const editFolder = (folder: Folder, text: FolderText): Promise<void> =>
  change(
    t().library.did.rename(isolated(text.name)),
    () => edit(folder.id, text),
    () => edit(folder.id, textOf(folder)),
  );

export const textOf = ({ name, description, theme_id: theme }: Folder): FolderText => ({
  name,
  description,
  theme_id: theme ?? '',
});

/** Deletes a folder. Its documents stay, in no folder, or go to the trash with it. */
export async function deleteFolder(folder: Folder, objects?: 'trash'): Promise<void> {
  const label = t().library.did.deleteFolder(isolated(folder.name));
  if (folder.object_count > MAX_PUT_BACK) {
    await remove(folder.id, objects);
    noteChange('folders', 'objects');
    toast(label);
    return;
  }
  const { id } = folder;
  const ids = await documentsOf(id);
  await change(
    label,
    () => remove(id, objects),
    async () => {
      await again(id, () => create(textOf(folder)));
      if (ids.length === 0) return;
      if (objects) await changeAll(ids, { action: 'restore' });
      await changeAll(ids, { action: 'move', collection_id: currentId(id) });
    },
  );
}

async function changeAll(ids: readonly string[], change: BulkChange): Promise<void> {
  const { stopped } = await changeMany({ ids }, change);
  if (stopped) throw stopped.error;
}

async function documentsOf(folder: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const query = { collection_id: folder, limit: PAGE, ...(cursor && { cursor }) };
    const page = await reply(api.GET('/v1/objects', { params: { query } }));
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor && ids.length < MAX_PUT_BACK);
  return ids;
}

const editThemeName = (id: string, name: string) =>
  reply(
    api.PATCH('/v1/themes/{theme_id}', {
      params: { path: { theme_id: currentId(id) } },
      body: { name },
    }),
  );

const createThemeNamed = (name: string) => reply(api.POST('/v1/themes', { body: { name } }));

const removeTheme = (id: string) =>
  reply(api.DELETE('/v1/themes/{theme_id}', { params: { path: { theme_id: currentId(id) } } }));

export const createTheme = (name: string): Promise<void> =>
  creation(t().library.did.createTheme(isolated(name)), () => createThemeNamed(name), removeTheme);

export const renameTheme = (theme: Theme, name: string): Promise<void> =>
  change(
    t().library.did.rename(isolated(name)),
    () => editThemeName(theme.id, name),
    () => editThemeName(theme.id, theme.name),
  );

/** Deletes a theme. Its folders stay, in no theme. */
export async function deleteTheme(theme: Theme, inIt: readonly Folder[]): Promise<void> {
  const { id } = theme;
  await change(
    t().library.did.deleteTheme(isolated(theme.name)),
    () => removeTheme(id),
    async () => {
      await again(id, () => createThemeNamed(theme.name));
      for (const folder of inIt) await edit(folder.id, { ...textOf(folder), theme_id: id });
    },
  );
}

import { useState } from 'preact/hooks';
import { themes, type Folder, type Theme } from '../../data/folders.ts';
import { messageOf } from '../../i18n/errors.ts';
import { t } from '../../i18n/language.ts';
import { Dialog } from '../../ui/dialog.tsx';
import {
  createFolder,
  createTheme,
  editFolder,
  renameTheme,
  textOf,
  type FolderText,
} from './folder-changes.ts';

export type FolderDialogProps = (
  | { readonly kind: 'new'; readonly themeId?: string }
  | { readonly kind: 'folder'; readonly folder: Folder | undefined }
  | { readonly kind: 'theme'; readonly theme: Theme | undefined }
) & { readonly onClose: () => void };

const NEW_THEME = 'new';

function initialText(props: FolderDialogProps): FolderText {
  if (props.kind === 'folder' && props.folder) return textOf(props.folder);
  const name = props.kind === 'theme' ? (props.theme?.name ?? '') : '';
  return { name, description: '', theme_id: props.kind === 'new' ? (props.themeId ?? '') : '' };
}

/** A new folder or theme, or the name of one that is there. */
export default function FolderDialog(props: FolderDialogProps) {
  const { library, shell } = t();
  const { kind, onClose } = props;
  const [text, setText] = useState(() => initialText(props));
  const [error, setError] = useState<unknown>();
  const name = text.name.trim();
  const isTheme = kind === 'theme' || text.theme_id === NEW_THEME;
  const save = async () => {
    if (!name) return;
    const saved = { ...text, name };
    try {
      if (props.kind === 'theme') await (props.theme && renameTheme(props.theme, name));
      else if (isTheme) await createTheme(name);
      else if (props.kind === 'folder') await (props.folder && editFolder(props.folder, saved));
      else await createFolder(saved);
      onClose();
    } catch (cause) {
      setError(cause);
    }
  };
  const title = kind === 'new' ? library.newFolder : library.editFolder;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" class="button strong" disabled={!name}>
            {library.save}
          </button>
        </>
      }
    >
      <div class="field">
        <label for="folder-name">{library.name}</label>
        <input
          id="folder-name"
          class="input"
          maxLength={120}
          dir="auto"
          autocomplete="off"
          autofocus
          value={text.name}
          onInput={({ currentTarget }) => setText({ ...text, name: currentTarget.value })}
        />
      </div>
      {kind !== 'theme' && (
        <div class="field">
          <label for="folder-theme">{library.theme}</label>
          <select
            id="folder-theme"
            class="input"
            value={text.theme_id}
            onChange={({ currentTarget }) => setText({ ...text, theme_id: currentTarget.value })}
          >
            <option value="">{library.noTheme}</option>
            {themes.value.map((theme) => (
              <option key={theme.id} value={theme.id}>
                {theme.name}
              </option>
            ))}
            {kind === 'new' && <option value={NEW_THEME}>{library.isTheme}</option>}
          </select>
        </div>
      )}
      {!isTheme && (
        <div class="field">
          <label for="folder-text">{library.description}</label>
          <input
            id="folder-text"
            class="input"
            maxLength={2_000}
            dir="auto"
            autocomplete="off"
            value={text.description}
            onInput={({ currentTarget }) => setText({ ...text, description: currentTarget.value })}
          />
        </div>
      )}
      {error !== undefined && (
        <p class="note bad" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

import { useState } from 'preact/hooks';
import { folders, type Folder, type Theme } from '../../data/folders.ts';
import { messageOf } from '../../i18n/errors.ts';
import { isolated } from '../../i18n/isolated.ts';
import { t } from '../../i18n/language.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { deleteFolder, deleteTheme } from './folder-changes.ts';

type Deleted =
  | { readonly kind: 'folder'; readonly folder: Folder | undefined }
  | { readonly kind: 'theme'; readonly id: string; readonly theme: Theme | undefined };

/** Says what becomes of the documents before a folder or theme is deleted. */
export default function DeleteFolderDialog({
  place,
  onClose,
  onDeleted,
}: {
  place: Deleted;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const { library, shell } = t();
  const [withDocuments, setWithDocuments] = useState(false);
  const [error, setError] = useState<unknown>();
  const isFolder = place.kind === 'folder';
  const subject = isFolder ? place.folder : place.theme;
  const name = isolated(subject?.name ?? '');
  const count = isFolder ? (place.folder?.object_count ?? 0) : 0;
  const remove = async () => {
    try {
      if (isFolder) {
        if (place.folder) await deleteFolder(place.folder, withDocuments ? 'trash' : undefined);
      } else if (place.theme)
        await deleteTheme(
          place.theme,
          folders.value.filter(({ theme_id: theme }) => theme === place.id),
        );
      onClose();
      onDeleted();
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <Dialog
      title={library.deleteTitle(name)}
      onClose={onClose}
      onSubmit={() => void remove()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" class="button danger">
            {isFolder ? library.deleteFolder : library.deleteTheme}
          </button>
        </>
      }
    >
      <p>{isFolder ? library.documentsStay(count) : library.foldersStay}</p>
      {count > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={withDocuments}
            onChange={({ currentTarget }) => setWithDocuments(currentTarget.checked)}
          />
          {library.trashThemToo(count)}
        </label>
      )}
      {error !== undefined && (
        <p class="note bad" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

import { folderOf } from '../data/folders.ts';
import { t } from '../i18n/language.ts';
import { Dialog } from '../ui/dialog.tsx';
import { folderChoices, withoutPaths } from './destination.ts';
import { addFiles } from './queue.ts';

/** Chooses what becomes of the folders of a dropped folder. */
export default function FolderDialog() {
  const [choice] = folderChoices.value;
  if (!choice) return null;
  const { dropped, destination } = choice;
  const { uploads, shell } = t();
  const close = () => {
    folderChoices.value = folderChoices.peek().slice(1);
  };
  const finish = (keepsFolders: boolean) => {
    close();
    void addFiles(keepsFolders ? dropped.files : withoutPaths(dropped), destination);
  };
  const isEmpty = dropped.files.length === 0;
  const folder = folderOf(destination.folder);
  return (
    <Dialog
      title={uploads.folderTitle}
      onClose={close}
      onSubmit={() => finish(true)}
      foot={
        <>
          <button type="button" class="button plain" onClick={close}>
            {isEmpty ? shell.close : shell.cancel}
          </button>
          {!isEmpty && (
            <>
              <button type="button" class="button" onClick={() => finish(false)}>
                {uploads.putAllHere}
              </button>
              <button type="submit" class="button strong">
                {uploads.keepFolders}
              </button>
            </>
          )}
        </>
      }
    >
      <p>
        {uploads.folderText(dropped.files.length)}
        {folder && !isEmpty && (
          <>
            {' '}
            <bdi>{folder.name}</bdi>
          </>
        )}
      </p>
    </Dialog>
  );
}

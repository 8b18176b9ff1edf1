import { useState } from 'preact/hooks';
import { folderOf } from '../../../data/folders.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import { FolderPicker } from '../../../ui/folder-picker.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Choice } from '../choice.tsx';

const MAX_FOLDERS = 50;

export interface TokenFoldersProps {
  /** null: the whole workspace. */
  readonly folders: readonly string[] | null;
  readonly onChange: (folders: readonly string[] | null) => void;
}

/** Limits a token to folders. */
export function TokenFolders({ folders, onChange }: TokenFoldersProps) {
  const text = settingsText();
  const [chosen, setChosen] = useState<string | null>();
  const add = () => {
    if (chosen && folders) onChange([...folders, chosen]);
    setChosen(undefined);
  };
  const isFull = (folders?.length ?? 0) >= MAX_FOLDERS;
  return (
    <>
      <Choice
        label={text.where}
        value={folders ? 'folders' : 'all'}
        options={(['all', 'folders'] as const).map((each) => [each, text.whereOf[each]])}
        onChoose={(each) => onChange(each === 'folders' ? [] : null)}
      />
      {folders && (
        <div class="token-folders">
          {folders.length === 0 && <p class="soft">{text.noFolderChosen}</p>}
          <div class="buttons">
            {folders.map((id) => (
              <button
                key={id}
                type="button"
                class="pick"
                aria-label={text.removeFolder(nameOf(id))}
                onClick={() => onChange(folders.filter((each) => each !== id))}
              >
                <bdi>{nameOf(id)}</bdi>
                <Icon name="x" small />
              </button>
            ))}
          </div>
          {isFull ? (
            <p class="soft">{text.maxFolders(MAX_FOLDERS)}</p>
          ) : (
            <>
              <FolderPicker chosen={chosen} onChoose={setChosen} excluded={[null, ...folders]} />
              <div class="buttons">
                <button type="button" class="button small" disabled={!chosen} onClick={add}>
                  {text.addFolder}
                </button>
              </div>
            </>
          )}
        </div>
      )}
    </>
  );
}

const nameOf = (id: string): string => folderOf(id)?.name ?? settingsText().missingFolder;

import { useMemo, useRef, useState } from 'preact/hooks';
import { foldersByTheme, type Folder } from '../data/folders.ts';
import { t } from '../i18n/language.ts';
import { Icon } from './icon.tsx';
import { useId } from './use-id.ts';

export interface FolderPickerProps {
  /** null: in no folder. */
  readonly chosen: string | null | undefined;
  readonly onChoose: (id: string | null) => void;
  /** Folders that are not offered. null: that a document is in none. */
  readonly excluded?: readonly (string | null)[];
}

const NONE: readonly string[] = [];

/** A folder of the owner, or none. Typing narrows the list; the arrow keys walk through it. */
export function FolderPicker({ chosen, onChoose, excluded = NONE }: FolderPickerProps) {
  const { library } = t();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState('');
  const groups = useMemo(() => filtered(words, excluded), [words, foldersByTheme.value, excluded]);
  const walk = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const choices = [...(list.current?.querySelectorAll<HTMLInputElement>('input') ?? [])];
    if (step === 0 || choices.length === 0) return;
    event.preventDefault();
    const at = choices.findIndex(({ checked }) => checked);
    const next = choices.at((at + step) % choices.length);
    next?.click();
    next?.scrollIntoView({ block: 'nearest' });
  };
  const option = (value: string | null, name: string) => (
    <label key={value ?? ''} class="folder-option">
      <input
        type="radio"
        name={id}
        tabIndex={-1}
        checked={chosen === value}
        onChange={() => onChoose(value)}
      />
      <Icon name="folder" small />
      <bdi class="cut">{name}</bdi>
    </label>
  );
  return (
    <div class="folder-picker">
      <label class="vh" for={id}>
        {library.findFolder}
      </label>
      <input
        id={id}
        class="input"
        type="search"
        placeholder={library.findFolder}
        autocomplete="off"
        autofocus
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
        onKeyDown={walk}
      />
      <div ref={list} class="folder-options" role="radiogroup" aria-label={library.folders}>
        {words === '' && !excluded.includes(null) && option(null, library.inNoFolder)}
        {groups.map(({ name, folders }) => (
          <div key={name} role="presentation">
            {name !== '' && (
              <p class="theme">
                <bdi>{name}</bdi>
              </p>
            )}
            {folders.map((folder) => option(folder.id, folder.name))}
          </div>
        ))}
        {groups.length === 0 && <p class="soft">{library.noFolderFits}</p>}
      </div>
    </div>
  );
}

/** Folders of which the name, or that of the theme, contains the words. */
function filtered(
  words: string,
  excluded: readonly (string | null)[],
): readonly { name: string; folders: readonly Folder[] }[] {
  const wanted = words.trim().toLocaleLowerCase();
  return foldersByTheme.value
    .map(({ theme, folders }) => ({
      name: theme?.name ?? '',
      folders: folders.filter(
        ({ id, name }) =>
          !excluded.includes(id) &&
          `${theme?.name ?? ''} ${name}`.toLocaleLowerCase().includes(wanted),
      ),
    }))
    .filter(({ folders }) => folders.length > 0);
}

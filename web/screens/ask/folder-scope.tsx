import { useSignal } from '@preact/signals';
import { folderOf, folders } from '../../data/folders.ts';
import { t } from '../../i18n/ask.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';

interface FolderScopeProps {
  readonly folderId: string | null;
  readonly onChange: (id: string | null) => void;
}

const MAX_SHOWN = 40;

/** Whether all documents are searched, or those of one folder. It holds for the conversation. */
export function FolderScope({ folderId, onChange }: FolderScopeProps) {
  const part = useSignal('');
  const wanted = part.value.toLocaleLowerCase();
  const found = folders.value.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  const name = folderId === null ? undefined : (folderOf(folderId)?.name ?? t().ask.oneFolder);
  return (
    <Menu
      class="button plain scope"
      button={
        <>
          <Icon name={name === undefined ? 'library' : 'folder'} />
          <span class="vh">{t().ask.searchIn} </span>
          <bdi class="cut">{name ?? t().ask.allDocuments}</bdi>
          <Icon name="down" small />
        </>
      }
    >
      {folders.value.length > 8 && (
        <input
          type="search"
          class="input"
          aria-label={t().ask.findFolder}
          placeholder={t().ask.findFolder}
          value={part.value}
          onInput={(event) => (part.value = event.currentTarget.value)}
        />
      )}
      <button
        type="button"
        aria-current={folderId === null ? 'true' : undefined}
        onClick={() => onChange(null)}
      >
        <Icon name="library" />
        {t().ask.allDocuments}
      </button>
      {found.slice(0, MAX_SHOWN).map((folder) => (
        <button
          key={folder.id}
          type="button"
          aria-current={folder.id === folderId ? 'true' : undefined}
          onClick={() => onChange(folder.id)}
        >
          <Icon name="folder" />
          <bdi class="cut">{folder.name}</bdi>
        </button>
      ))}
    </Menu>
  );
}

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { folderError, foldersByTheme, loadFolders, type Folder } from '../../data/folders.ts';
import { libraryCounts } from '../../data/library-counts.ts';
import { formatNumber } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { Failed } from '../../ui/notice.tsx';
import { to } from '../address.ts';
import { useDropTarget } from './drop-target.ts';
import { ViewLinks } from './view-links.tsx';

const FolderDialog = lazily(() => import('./folder-dialog.tsx'));

/** The folders of the owner by theme. Documents can be dropped onto them. */
export function FolderTree({ path }: { path: string }) {
  const { library } = t();
  const { query } = useLocation();
  const [isAdding, setAdding] = useState(false);
  const { value: counts } = libraryCounts;
  const isUnfiled = path === '/library' && query['uncategorized'] === 'true';
  return (
    <>
      <ViewLinks />
      <div class="below-head">
        <h2>{library.folders}</h2>
        <button
          type="button"
          class="tool small"
          aria-label={library.newFolder}
          onClick={() => setAdding(true)}
        >
          <Icon name="plus" />
        </button>
      </div>
      {folderError.value !== undefined && (
        <Failed error={folderError.value} retry={() => void loadFolders()} />
      )}
      <ul class="tree">
        {foldersByTheme.value.map(({ theme, folders }) => (
          <li key={theme?.id ?? ''}>
            {theme && (
              <a
                class="theme cut"
                href={to(`/theme/${theme.id}`)}
                aria-current={path === `/theme/${theme.id}` ? 'page' : undefined}
              >
                <bdi>{theme.name}</bdi>
              </a>
            )}
            <ul>
              {folders.map((folder) => (
                <li key={folder.id}>
                  <Leaf folder={folder} isCurrent={path === `/folder/${folder.id}`} />
                </li>
              ))}
            </ul>
          </li>
        ))}
        <li class="loose">
          <Leaf folder={undefined} count={counts?.unfiled} isCurrent={isUnfiled} />
        </li>
      </ul>
      {isAdding && <FolderDialog kind="new" onClose={() => setAdding(false)} />}
    </>
  );
}

/** A folder, or the documents in none. */
function Leaf({
  folder,
  count = folder?.object_count,
  isCurrent,
}: {
  folder: Folder | undefined;
  count?: number | undefined;
  isCurrent: boolean;
}) {
  const drop = useDropTarget(folder?.id ?? null);
  return (
    <a
      class={`leaf${drop.isOver ? ' over' : ''}`}
      href={to(folder ? `/folder/${folder.id}` : '/library?uncategorized=true')}
      aria-current={isCurrent ? 'page' : undefined}
      data-folder={folder?.id ?? ''}
      draggable={false}
      {...drop.events}
    >
      <Icon name="folder" />
      <span>
        <bdi>{folder?.name ?? t().library.inNoFolder}</bdi>
      </span>
      {count !== undefined && <span class="n">{formatNumber(count)}</span>}
    </a>
  );
}

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../../app/address.ts';
import { askAbout } from '../../state/ask-about.ts';
import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { Menu } from '../../ui/menu.tsx';
import { foldersOfTheme, type Place } from './place.ts';

const FolderDialog = lazily(() => import('../../app/folders/folder-dialog.tsx'));
const DeleteFolderDialog = lazily(() => import('../../app/folders/delete-folder-dialog.tsx'));

/** What a folder is for, what a theme contains, and what can be done with either. */
export function FolderHead({ place }: { place: Place }) {
  const { library } = t();
  const { route } = useLocation();
  const [dialog, setDialog] = useState<'edit' | 'delete' | 'add'>();
  if (place.kind === 'library') return null;
  const close = () => setDialog(undefined);
  const subject = place.kind === 'folder' ? place.folder : place.theme;
  if (!subject) return null;
  const ask = () => {
    askAbout.value = { folderId: place.id };
    route(to('/ask'));
  };
  return (
    <div class="folder-head">
      {place.kind === 'folder' ? (
        <p class="soft grow" dir="auto">
          {place.folder?.description}
        </p>
      ) : (
        <p class="grow buttons">
          {foldersOfTheme(place.id).map(({ id, name, object_count: count }) => (
            <a key={id} class="tag" href={to(`/folder/${id}`)}>
              <Icon name="folder" small />
              <bdi class="cut">{name}</bdi> <span class="soft num">{count}</span>
            </a>
          ))}
        </p>
      )}
      {place.kind === 'folder' && (
        <button type="button" class="button plain small" onClick={ask}>
          <Icon name="ask" small />
          {library.askAboutFolder}
        </button>
      )}
      <Menu label={library.more} button={<Icon name="more" />}>
        <button type="button" onClick={() => setDialog('edit')}>
          <Icon name="edit" />
          {library.editFolder}
        </button>
        {place.kind === 'folder' && (
          <a href={to(`/shares/new?folder=${place.id}`)}>
            <Icon name="link" />
            {library.actions.share}
          </a>
        )}
        {place.kind === 'theme' && (
          <button type="button" onClick={() => setDialog('add')}>
            <Icon name="plus" />
            {library.newFolder}
          </button>
        )}
        <button type="button" onClick={() => setDialog('delete')}>
          <Icon name="trash" />
          {place.kind === 'folder' ? library.deleteFolder : library.deleteTheme}
        </button>
      </Menu>
      {dialog === 'edit' && <FolderDialog {...place} onClose={close} />}
      {dialog === 'add' && <FolderDialog kind="new" themeId={place.id} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteFolderDialog place={place} onClose={close} onDeleted={() => route(to('/library'))} />
      )}
    </div>
  );
}

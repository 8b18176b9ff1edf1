import { useLocation } from 'preact-iso';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isAddMenuOpen, openAddMenu } from '../app/add-menu.tsx';
import FolderDialog from '../app/folders/folder-dialog.tsx';
import { to } from '../app/address.ts';
import { t } from '../i18n/language.ts';
import { zoneUrl } from '../state/zone.ts';
import { useActions, type Action } from '../keys/action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { add, currentDestination } from './destination.ts';
import { chosenFiles } from './dropped-files.ts';
import type { Destination } from './queue.ts';

type Chooser = 'files' | 'folder' | 'photo';

const isTouched = () => matchMedia('(pointer: coarse)').matches;

/** What can be added, as a dialog of choices and as keys. */
export function AddMenu() {
  const { route, query } = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const [chooser, setChooser] = useState<Chooser>('files');
  const [isNaming, setNaming] = useState(false);
  // Of when the chooser was opened: the zone may have locked since.
  const destination = useRef<Destination | undefined>(undefined);
  const close = () => {
    isAddMenuOpen.value = false;
  };
  const makeFolder = () => {
    close();
    setNaming(true);
  };
  const choose = (kind: Chooser) => {
    close();
    setChooser(kind);
    const { current } = input;
    if (!current) return;
    // Set here as well: the chooser opens before the next rendering.
    current.toggleAttribute('webkitdirectory', kind === 'folder');
    current.toggleAttribute('multiple', kind !== 'photo');
    current.accept = kind === 'photo' ? 'image/*' : '';
    if (kind === 'photo') current.setAttribute('capture', 'environment');
    else current.removeAttribute('capture');
    destination.current = currentDestination();
    current.click();
  };
  const go = (path: string) => {
    close();
    const { folder, isHidden } = currentDestination();
    // What is written inside the zone is hidden, and its place is not in the address.
    if (isHidden) zoneUrl.value = to(path);
    else route(to(folder === null ? path : `${path}?folder=${folder}`));
  };
  useActions(useMemo(() => addActions(() => choose('files'), go), [route]));
  // A shortcut of the installed app.
  useEffect(() => {
    if (query['add'] === undefined) return;
    openAddMenu();
    route(to('/library'), true);
  }, [query]);
  return (
    <>
      <input
        ref={input}
        type="file"
        class="vh"
        tabIndex={-1}
        // Opened by the controls that have its name.
        aria-hidden="true"
        aria-label={t().uploads[chooser]}
        onChange={({ currentTarget }) => {
          void add(chosenFiles(currentTarget), destination.current ?? currentDestination());
          currentTarget.value = '';
        }}
      />
      {isAddMenuOpen.value && <Choices {...{ choose, go, makeFolder, close }} />}
      {isNaming && <FolderDialog kind="new" onClose={() => setNaming(false)} />}
    </>
  );
}

const addActions = (chooseFiles: () => void, go: (path: string) => void): readonly Action[] => [
  { id: 'add-files', group: 'add', label: () => t().uploads.files, keys: ['u'], run: chooseFiles },
  {
    id: 'add-note',
    group: 'add',
    label: () => t().uploads.note,
    keys: ['n'],
    run: () => go('/new/note'),
  },
  {
    id: 'add-link',
    group: 'add',
    label: () => t().uploads.link,
    keys: ['Shift+N'],
    run: () => go('/new/link'),
  },
];

interface ChoicesProps {
  readonly choose: (kind: Chooser) => void;
  readonly go: (path: string) => void;
  readonly makeFolder: () => void;
  readonly close: () => void;
}

function Choices({ choose, go, makeFolder, close }: ChoicesProps) {
  const { uploads, library, shell } = t();
  const choice = (icon: IconName, label: string, run: () => void, key?: string) => (
    <li>
      <button type="button" class="add-choice" onClick={run}>
        <Icon name={icon} />
        <span class="grow">{label}</span>
        {key && (
          <kbd class="hide-phone" aria-hidden="true">
            {key}
          </kbd>
        )}
      </button>
    </li>
  );
  return (
    <Dialog
      title={uploads.addTitle}
      onClose={close}
      foot={
        <button type="button" class="button plain" onClick={close}>
          {shell.cancel}
        </button>
      }
    >
      <ul class="add-choices">
        {choice('upload', uploads.files, () => choose('files'), 'u')}
        {choice('folder', uploads.folder, () => choose('folder'))}
        {isTouched() && choice('camera', uploads.photo, () => choose('photo'))}
        {choice('note', uploads.note, () => go('/new/note'), 'n')}
        {choice('link', uploads.link, () => go('/new/link'), '⇧ N')}
        {choice('plus', library.newFolder, makeFolder)}
      </ul>
    </Dialog>
  );
}

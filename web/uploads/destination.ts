import { signal } from '@preact/signals';
import { ROOT } from '../app/address.ts';
import { whileUnlocked } from '../state/zone-token.ts';
import type { Dropped } from './dropped-files.ts';
import { addFiles, type AddedFile, type Destination } from './queue.ts';

interface FolderChoice {
  readonly dropped: Dropped;
  readonly destination: Destination;
}

/** Folders that wait for the owner's choice: with their folders, or without. One drop after the other is asked for. */
export const folderChoices = signal<readonly FolderChoice[]>([]);

const FOLDER = /^\/folder\/([0-9a-f-]{36})$/;

const folderIn = (path: string): string | undefined =>
  FOLDER.exec(path.startsWith(ROOT) ? path.slice(ROOT.length) : '')?.[1];

/** Where things are added on the screen that is shown: the open folder, the open hidden zone, or no folder. */
export function currentDestination(): Destination {
  const { pathname } = location;
  const isHidden = pathname === `${ROOT}/hidden` && whileUnlocked() !== undefined;
  return { folder: isHidden ? null : (folderIn(pathname) ?? null), isHidden };
}

/** The folder of the rail under the pointer, or that of the screen. */
export function destinationAt(target: EventTarget | null): Destination {
  const link =
    target instanceof Element ? target.closest<HTMLAnchorElement>('.rail a[href]') : null;
  const folder = link ? folderIn(new URL(link.href).pathname) : undefined;
  return folder === undefined ? currentDestination() : { folder, isHidden: false };
}

/** Adds files, once the owner has chosen what becomes of their folders. */
export async function add(dropped: Dropped, destination: Destination): Promise<void> {
  if (dropped.hasFolders && !destination.isHidden)
    folderChoices.value = [...folderChoices.peek(), { dropped, destination }];
  else await addFiles(withoutPaths(dropped), destination);
}

export const withoutPaths = ({ files }: Dropped): readonly AddedFile[] =>
  files.map(({ relativePath: _path, ...rest }) => rest);

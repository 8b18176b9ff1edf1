import { useEffect, useState } from 'preact/hooks';
import { folderOf } from '../data/folders.ts';
import { t } from '../i18n/language.ts';
import { Icon } from '../ui/icon.tsx';
import { add, destinationAt } from './destination.ts';
import { droppedFiles } from './dropped-files.ts';
import type { Destination } from './queue.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true;

/** Files may be dropped anywhere. While they are over the window it says where they go. */
export function DropVeil() {
  const [destination, setDestination] = useState<Destination>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const over = (event: DragEvent) => {
      if (!hasFiles(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setDestination((before) => sameOr(before, destinationAt(event.target)));
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDestination(undefined);
    };
    const drop = (event: DragEvent) => {
      setDestination(undefined);
      if (!hasFiles(event) || !event.dataTransfer || event.defaultPrevented) return;
      // Without this the browser would leave the app and show the file.
      event.preventDefault();
      if (document.querySelector('dialog[open]')) return;
      const target = destinationAt(event.target);
      void droppedFiles(event.dataTransfer).then((dropped) => add(dropped, target));
    };
    document.addEventListener('dragenter', over, { signal });
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('drop', drop, { signal });
    return () => controller.abort();
  }, []);
  if (!destination) return null;
  const { uploads } = t();
  const folder = folderOf(destination.folder);
  return (
    <div class="drop-veil" role="status">
      <p>
        <Icon name="upload" />
        <b>{uploads.dropHere}</b>{' '}
        {folder ? (
          <>
            {uploads.intoFolder} <bdi>{folder.name}</bdi>
          </>
        ) : destination.isHidden ? (
          uploads.intoZone
        ) : (
          uploads.intoNone
        )}
      </p>
    </div>
  );
}

/** The same object for the same place, so that moving the pointer renders nothing. */
const sameOr = (before: Destination | undefined, now: Destination): Destination =>
  before?.folder === now.folder && before.isHidden === now.isHidden ? before : now;

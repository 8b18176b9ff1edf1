import { ErrorBoundary, lazy } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { AddMenu } from './add-dialog.tsx';
import { folderChoices } from './destination.ts';
import { offeredText } from './offered-text.ts';
import { DropVeil } from './drop-veil.tsx';
import { items } from './items.ts';
import { handlePaste } from './paste.ts';
import { restoreUploads, tryAllWaiting } from './queue.ts';
import { losesOnLeaving } from './stored-queue.ts';

const Tray = lazy(() => import('./tray.tsx'));
const FolderDialog = lazy(() => import('./folder-dialog.tsx'));
const TextDialog = lazy(() => import('./text-dialog.tsx'));

const PRELOAD_AFTER_MS = 1_500;

/** Every way in for files, and the queue they wait in. */
export default function Uploads() {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const warn = (event: BeforeUnloadEvent) => {
      if (losesOnLeaving()) event.preventDefault();
    };
    addEventListener('online', tryAllWaiting, { signal });
    addEventListener('beforeunload', warn, { signal });
    document.addEventListener('paste', handlePaste, { signal });
    void restoreUploads().then(tryAllWaiting);
    // Before it is needed: files may be added without a network.
    const timer = setTimeout(() => void Tray.preload(), PRELOAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, []);
  return (
    <>
      <ErrorBoundary>{items.value.length > 0 && <Tray />}</ErrorBoundary>
      <DropVeil />
      <AddMenu />
      <ErrorBoundary>{folderChoices.value.length > 0 && <FolderDialog />}</ErrorBoundary>
      <ErrorBoundary>{offeredText.value && <TextDialog />}</ErrorBoundary>
    </>
  );
}

import { useLayoutEffect, useRef } from 'preact/hooks';
import { guardUnsaved, type Unsaved } from '../../../state/unsaved.ts';

/**
 * Asks before something unsaved is left: the browser before the page, the app before the screen. `isWritten`: it is being
 * saved, so that only leaving the page would lose it.
 */
export function useLeaveGuard(isUnsaved: boolean, unsaved: Unsaved = {}, isWritten = false): void {
  const latest = useRef(unsaved);
  latest.current = unsaved;
  const canSave = unsaved.save !== undefined;
  // From the moment at which the screen shows it.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    return guardUnsaved({
      ...(canSave && { save: async () => (await latest.current.save?.()) ?? false }),
      discard: () => latest.current.discard?.(),
    });
  }, [isUnsaved, canSave]);
  const isLost = isUnsaved || isWritten;
  useLayoutEffect(() => {
    if (!isLost) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isLost]);
}

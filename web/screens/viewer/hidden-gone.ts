import { useEffect, useState } from 'preact/hooks';
import { whileUnlocked } from '../../state/zone-token.ts';
import type { DocumentDetail } from './kinds.ts';

/** Whether a hidden document may no longer be shown, since the zone has been locked. */
export function useHiddenGone(shown: DocumentDetail | undefined): boolean {
  const isHidden = shown?.is_hidden === true;
  const [isLocked, setLocked] = useState(false);
  useEffect(() => {
    if (!isHidden) return;
    const unlocked = whileUnlocked();
    const lock = () => setLocked(true);
    if (!unlocked) lock();
    unlocked?.signal.addEventListener('abort', lock);
    return () => unlocked?.signal.removeEventListener('abort', lock);
  }, [isHidden]);
  return isHidden && isLocked;
}

import { useContext } from 'preact/hooks';
import { IsBehind } from '../keys/action.ts';
import { openZone } from '../state/zone.ts';

/** Whether the lists of a screen include hidden documents: while the zone is open, except behind its own screen. */
export function useShowsHidden(): boolean {
  const isBehind = useContext(IsBehind);
  return openZone.value !== undefined && !isBehind;
}

import { useEffect, useState } from 'preact/hooks';
import type { ViewState } from '../view-state.ts';

/** The earlier version that is looked at for a citation, and how to look at one. */
export function useEarlier(
  state: ViewState,
  focusKey: string,
): readonly [number | undefined, (version?: number) => void] {
  const [earlier, show] = useState<number>();
  useEffect(() => show(undefined), [focusKey]);
  useEffect(() => {
    // The pages that can be turned are those of the newest version, which sets their number when it is shown again.
    if (earlier !== undefined) state.pageCount.value = 0;
  }, [earlier]);
  return [earlier, show];
}

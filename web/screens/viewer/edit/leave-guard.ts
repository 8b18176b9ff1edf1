import { useLayoutEffect } from 'preact/hooks';

/** The browser warns before the page is left while something is not saved: from the moment at which the page shows it. */
export function useLeaveGuard(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}

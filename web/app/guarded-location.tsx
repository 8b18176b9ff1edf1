import { LocationProvider, useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { hasUnsaved, leaving, whenSaved } from '../state/unsaved.ts';
import { lazily } from '../ui/lazily.tsx';
import { ROOT } from './address.ts';

const LeaveDialog = lazily(() => import('../screens/viewer/edit/leave-dialog.tsx'));

const pathOf = (address: string): string => new URL(address, location.origin).pathname;

/** Every navigation inside the app: by links, keys, the palette, Back and Forward. Each waits while something is not saved. */
export function GuardedLocation({ children }: { children: ComponentChildren }) {
  const real = useLocation();
  const guarded = useMemo(
    () => ({
      ...real,
      route(address: string, replace?: boolean) {
        // The same screen with another query.
        if (pathOf(address) === real.path) real.route(address, replace);
        else whenSaved(() => real.route(address, replace));
      },
    }),
    [real],
  );
  const url = useRef(real.url);
  url.current = real.url;
  // Before the router: the listeners of a window are called in the order in which they were added.
  useLayoutEffect(() => {
    const controller = new AbortController();
    const options = { capture: true, signal: controller.signal };
    addEventListener('click', guardLink, options);
    addEventListener('popstate', (event) => guardBack(event, url.current), options);
    return () => controller.abort();
  }, []);
  return (
    <LocationProvider.ctx.Provider value={guarded}>
      {children}
      {leaving.value && <LeaveDialog leaving={leaving.value} />}
    </LocationProvider.ctx.Provider>
  );
}

function guardLink(event: MouseEvent): void {
  if (!hasUnsaved() || event.defaultPrevented || event.button !== 0) return;
  // Another tab or window.
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.download || link.getAttribute('href')?.startsWith('#')) return;
  const { origin, pathname } = new URL(link.href, location.origin);
  if (origin !== location.origin || !pathname.startsWith(`${ROOT}/`)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  whenSaved(() => link.click());
}

/** The address has changed already: it gets that of the screen back, which stays. */
function guardBack(event: PopStateEvent, url: string): void {
  if (!hasUnsaved() || pathOf(url) === location.pathname) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', url);
  whenSaved(() => history.back());
}

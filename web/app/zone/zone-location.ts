import type { useLocation } from 'preact-iso';
import { isPlainChat } from '../../state/zone-chats.ts';
import { whenSaved } from '../../state/unsaved.ts';
import { zoneUrl } from '../../state/zone.ts';
import { ROOT, to } from '../address.ts';

export type Location = ReturnType<typeof useLocation>;

export const ZONE_PATH = to('/hidden');
/** Places that are shown inside the zone, wherever one comes from: their addresses may name what is hidden. */
const NAMING = /^\/((object|ask)\/.|hidden$)/;
/** Places that have a counterpart inside the zone for what is opened there. */
const INSIDE = /^\/(hidden|library|object|ask|new)(\/|$)/;

interface Place {
  readonly path: string;
  readonly isSearch: boolean;
  readonly address: string;
}

function placeOf(address: string): Place | undefined {
  const { origin, pathname, search, hash, searchParams } = new URL(address, location.origin);
  if (origin !== location.origin || !pathname.startsWith(`${ROOT}/`)) return undefined;
  const path = pathname.slice(ROOT.length);
  const isSearch = path === '/library' && searchParams.has('q');
  return { path, isSearch, address: pathname + search + hash };
}

/** Where an address that was chosen inside the zone leads there; undefined if it leads out of it. */
export function insideOf(address: string): string | undefined {
  const place = placeOf(address);
  if (!place || !INSIDE.test(place.path)) return undefined;
  return /^\/(hidden|library)/.test(place.path) && !place.isSearch ? ZONE_PATH : place.address;
}

/** While the zone is open, documents, conversations and searches are shown inside it: nothing of them gets into the history. */
export function insideFromOutside(address: string): string | undefined {
  const place = placeOf(address);
  if (!place || isPlainChat(place.path.replace('/ask/', ''))) return undefined;
  return place.isSearch || NAMING.test(place.path) ? place.address : undefined;
}

/** A location that is not in the address, and leaves nothing in the history. */
export function zoneLocation(real: Location, url: string): Location {
  const { pathname, searchParams } = new URL(url, location.origin);
  return {
    ...real,
    url,
    path: pathname,
    query: Object.fromEntries(searchParams),
    route(address: string, replace?: boolean) {
      const inside = insideOf(address);
      if (inside === undefined) real.route(address, replace);
      else whenSaved(() => (zoneUrl.value = inside));
    },
  };
}

/** The location of the app around the zone while it is open. */
export const outerLocation = (real: Location): Location => ({
  ...real,
  route(address: string, replace?: boolean) {
    const inside = insideFromOutside(address);
    if (inside === undefined) return real.route(address, replace);
    zoneUrl.value = inside;
    if (real.path !== ZONE_PATH) real.route(ZONE_PATH);
  },
});

/** Follows links that lead into the zone. `route` is that of the zone, or of the app around it. */
export const followInto =
  (insideOfLink: (address: string) => string | undefined, route: Location['route']) =>
  (event: MouseEvent): void => {
    if (event.defaultPrevented) return;
    const link = event.target instanceof Element && event.target.closest('a');
    if (!link || link.download || insideOfLink(link.href) === undefined) return;
    // Also with Ctrl or the middle button: another tab would have its id in the history.
    event.preventDefault();
    event.stopPropagation();
    route(link.href);
  };

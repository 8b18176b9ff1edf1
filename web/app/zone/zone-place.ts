import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { appRevision, openZone, zoneUrl, type OpenZone } from '../../state/zone.ts';
import { to } from '../address.ts';
import { ZONE_PATH, outerLocation, type Location } from './zone-location.ts';

/** Screens whose contents are the same while the zone is open, so that they can stay as they are behind it. */
const SAME_WHEN_OPEN = /\/(library|folder\/[^/]+|theme\/[^/]+|object\/[^/]+|trash|settings.*)$/;

export interface ZonePlace {
  readonly zone: OpenZone | undefined;
  /** Where the app is, for what is around the screen. */
  readonly outer: Location;
  /** Where the app was before the zone was opened. */
  readonly behind: Location;
  /** Whether the hidden documents are shown. */
  readonly isInside: boolean;
  readonly asksPin: boolean;
  /** Grows when what was shown while the zone was open has to be replaced. */
  readonly revision: number;
  /** Grows whenever the zone locks: fields around the screen are emptied then. */
  readonly locks: number;
}

/** Where the owner is, in the zone or in the app behind it. When the zone locks the app is where it was before. */
export function useZonePlace(real: Location): ZonePlace {
  const zone = openZone.value;
  const isOpen = zone !== undefined;
  const isAtZone = real.path === ZONE_PATH;
  const outer = useMemo(() => (isOpen ? outerLocation(real) : real), [real, isOpen]);
  const last = useRef<Location | undefined>(undefined);
  if (!isAtZone) last.current = outer;
  const behind = useMemo(
    () => ({ ...(last.current ?? beforeAll(real)), route: outer.route }),
    [last.current, outer],
  );
  const wasOpen = useRef(false);
  const isStale = useRef(false);
  const revision = useRef(0);
  const locks = useRef(0);
  if (isOpen && (!isAtZone || !SAME_WHEN_OPEN.test(behind.path))) isStale.current = true;
  const hasLocked = wasOpen.current && !isOpen;
  const isReplaced = hasLocked && isStale.current;
  if (hasLocked) locks.current++;
  if (isReplaced) {
    revision.current++;
    isStale.current = false;
  }
  wasOpen.current = isOpen;
  useLayoutEffect(() => {
    if (hasLocked && isAtZone) real.route(behind.url, true);
    // Not in the middle of rendering.
    if (isReplaced) queueMicrotask(() => void appRevision.value++);
  }, [hasLocked]);
  useEffect(() => {
    if (!isAtZone) zoneUrl.value = undefined;
  }, [isAtZone]);
  useFocusBefore(isAtZone || isOpen, hasLocked && !isReplaced);
  return {
    zone,
    outer,
    behind,
    isInside: isAtZone && isOpen,
    asksPin: isAtZone && !isOpen && !hasLocked,
    revision: revision.current,
    locks: locks.current,
  };
}

/** Gives the focus back to what had it before the zone, once the zone has locked. */
function useFocusBefore(isAway: boolean, isBack: boolean): void {
  const before = useRef<Element | null>(null);
  const wasAway = useRef(false);
  if (isAway && !wasAway.current) before.current = document.activeElement;
  wasAway.current = isAway;
  useLayoutEffect(() => {
    if (!isBack) return;
    const element = before.current;
    before.current = null;
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
    // It was in a menu that has closed, or nothing had the focus.
    if (element && element !== document.body && document.activeElement === element) return;
    document.querySelector<HTMLElement>('.screens .screen-title')?.focus({ preventScroll: true });
  }, [isBack]);
}

const beforeAll = (location: Location): Location => ({
  ...location,
  url: to('/library'),
  path: to('/library'),
  query: {},
});

/** Goes back to where the app was, unless the zone has been opened. */
export function closePin(behind: Location, route: Location['route']): void {
  if (!openZone.value) route(behind.url, true);
}

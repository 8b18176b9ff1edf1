import type { Action } from '../keys/action.ts';
import type { IconName } from '../ui/icon-paths.ts';
import { t } from '../i18n/language.ts';
import { to } from './address.ts';

export interface Place {
  readonly id:
    'library' | 'ask' | 'agent' | 'calendar' | 'shares' | 'notifications' | 'trash' | 'settings';
  readonly path: string;
  readonly icon: IconName;
  /** Paths that belong to it. */
  readonly covers: RegExp;
  readonly key: string;
}

/** The places of the app. In the rail those at its foot come last. */
export const PLACES: readonly Place[] = [
  {
    id: 'library',
    path: '/library',
    icon: 'library',
    covers: /^\/(library|folder|theme|object|tidy|new|hidden|welcome)?(\/|$)/,
    key: 'g l',
  },
  { id: 'ask', path: '/ask', icon: 'ask', covers: /^\/ask(\/|$)/, key: 'g a' },
  { id: 'agent', path: '/agent', icon: 'agent', covers: /^\/agent(\/|$)/, key: 'g e' },
  { id: 'calendar', path: '/calendar', icon: 'calendar', covers: /^\/calendar/, key: 'g c' },
  { id: 'shares', path: '/shares', icon: 'link', covers: /^\/shares/, key: 'g s' },
  {
    id: 'notifications',
    path: '/notifications',
    icon: 'bell',
    covers: /^\/notifications/,
    key: 'g n',
  },
  { id: 'trash', path: '/trash', icon: 'trash', covers: /^\/trash/, key: 'g t' },
  { id: 'settings', path: '/settings', icon: 'settings', covers: /^\/settings/, key: 'g ,' },
];

export const FOOT_PLACES: readonly Place['id'][] = ['trash', 'settings'];
/** Reached by the bell in wide windows, which has their number. */
const BELL_PLACES: readonly Place['id'][] = ['notifications'];
export const RAIL_PLACES = PLACES.filter(({ id }) => !BELL_PLACES.includes(id));

/** Actions that lead to the places. The hidden zone is among them whether it is used or not. */
export const placeActions = (go: (address: string) => void): readonly Action[] => [
  ...PLACES.map(({ id, path, key }) => ({
    id: `go-${id}`,
    group: 'go' as const,
    label: () => t().shell.goTo(t().shell.places[id]),
    keys: [key],
    run: () => go(to(path)),
  })),
  {
    id: 'go-welcome',
    group: 'go',
    label: () => t().shell.goTo(t().shell.firstSteps),
    keys: ['g w'],
    run: () => go(to('/welcome')),
  },
  {
    id: 'go-tidy',
    group: 'go',
    label: () => t().library.tidyUp,
    run: () => go(to('/tidy')),
  },
  {
    id: 'go-hidden',
    group: 'go',
    label: () => t().shell.goTo(t().shell.hiddenZone),
    keys: ['g h'],
    run: () => go(to('/hidden')),
  },
];

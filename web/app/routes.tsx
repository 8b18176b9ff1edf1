import { ErrorBoundary, Route, Router } from 'preact-iso';
import { t } from '../i18n/language.ts';
import { preloadObjects } from '../data/object-list.ts';
import Library from '../screens/library/library-screen.tsx';
import { listingAt, placeOf } from '../screens/library/place.ts';
import { holdKeys, releaseKeys } from '../keys/held-keys.ts';
import { runKey } from '../keys/keyboard.ts';
import { Screen } from '../ui/screen.tsx';
import { Empty } from '../ui/notice.tsx';
import { ROOT, to } from './address.ts';
import { Ask, NewLink, NewNote, ObjectViewer } from './shared-screens.ts';
import { withStyles } from './style-sheet.ts';
import { lazyScreen } from '../ui/lazily.tsx';

const Trash = lazyScreen(() => import('../screens/trash/trash-screen.tsx'));
const Tidy = lazyScreen(() => import('../screens/tidy/tidy-screen.tsx'));
const Settings = lazyScreen(() => import('../screens/settings/settings-screen.tsx'));
const Welcome = lazyScreen(() => import('../screens/welcome/welcome-screen.tsx'));
const Calendar = lazyScreen(() =>
  withStyles(import('../screens/calendar/calendar-screen.tsx'), 'calendar'),
);
const Agent = lazyScreen(() => withStyles(import('../screens/agent/agent-screen.tsx'), 'agent'));
const Shares = lazyScreen(() =>
  withStyles(import('../screens/shares/shares-screen.tsx'), 'shares'),
);
const Notifications = lazyScreen(() =>
  withStyles(import('../screens/notifications/notifications-screen.tsx'), 'notifications'),
);
const Operators = lazyScreen(() =>
  withStyles(import('../screens/operators/operators-screen.tsx'), 'data'),
);
const Add = lazyScreen(() => import('../screens/add/add-screen.tsx'));

const LIBRARY_PATH = /^\/?$|^\/library\/?$|^\/(folder|theme)\/[^/]+\/?$/;
const FIRST_SCREENS = [
  { path: /^\/ask/, screen: Ask },
  { path: /^\/object\//, screen: ObjectViewer },
] as const;

/** Begins to load what the address shows while the session is being read: the code of a screen, or the first documents. */
export function preloadScreen(): void {
  const { pathname, search } = location;
  const path = pathname.slice(ROOT.length);
  const query = Object.fromEntries(new URLSearchParams(search));
  if (LIBRARY_PATH.test(path) && !query['q']) preloadObjects(listingAt(placeOf(path), query));
  FIRST_SCREENS.find((each) => each.path.test(path))?.screen.preload();
}

const NotFound = () => (
  <Screen title={t().shell.notFound}>
    <Empty title={t().shell.notFoundHere}>
      <a class="button" href={to('/library')}>
        {t().shell.goTo(t().shell.places.library)}
      </a>
    </Empty>
  </Screen>
);

/** The screens of a signed-in owner. All but the library are loaded when they are first shown. */
export const Routes = () => (
  <ErrorBoundary>
    <Router onLoadStart={holdKeys} onLoadEnd={() => releaseKeys(runKey)}>
      <Route path={ROOT} component={Library} />
      <Route path={`${ROOT}/library`} component={Library} />
      <Route path={`${ROOT}/folder/:id`} component={Library} />
      <Route path={`${ROOT}/theme/:id`} component={Library} />
      <Route path={`${ROOT}/object/:id/:part?`} component={ObjectViewer} />
      <Route path={`${ROOT}/ask/:chat?`} component={Ask} />
      <Route path={`${ROOT}/agent/:chat?`} component={Agent} />
      <Route path={`${ROOT}/calendar/:part?`} component={Calendar} />
      <Route path={`${ROOT}/shares/:share?`} component={Shares} />
      <Route path={`${ROOT}/notifications`} component={Notifications} />
      <Route path={`${ROOT}/operators`} component={Operators} />
      <Route path={`${ROOT}/trash`} component={Trash} />
      <Route path={`${ROOT}/tidy/:task?`} component={Tidy} />
      <Route path={`${ROOT}/settings/:section?`} component={Settings} />
      <Route path={`${ROOT}/new/note`} component={NewNote} />
      <Route path={`${ROOT}/new/link`} component={NewLink} />
      <Route path={`${ROOT}/welcome`} component={Welcome} />
      <Route path={`${ROOT}/add`} component={Add} />
      <Route default component={NotFound} />
    </Router>
  </ErrorBoundary>
);

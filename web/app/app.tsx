import { ErrorBoundary, LocationProvider, useLocation } from 'preact-iso';
import { useEffect, useMemo } from 'preact/hooks';
import { IsBehind, useActions } from '../keys/action.ts';
import { handleKey } from '../keys/keyboard.ts';
import { followChanges } from '../data/follow-changes.ts';
import { t } from '../i18n/language.ts';
import { canUndo, undoLast } from '../state/undo.ts';
import { zoneUrl } from '../state/zone.ts';
import { isSignedIn, openFailure } from '../state/session-state.ts';
import { Island } from '../ui/island.tsx';
import { ROOT } from './address.ts';
import { Connection } from './connection.tsx';
import { Dock } from './dock.tsx';
import { Front } from './front.tsx';
import { GuardedLocation } from './guarded-location.tsx';
import { placeActions } from './navigation.ts';
import { Offline } from './offline.tsx';
import { Rail } from './rail.tsx';
import { Routes } from './routes.tsx';
import { TopBar } from './top-bar.tsx';
import { PinPrompt } from './zone/pin-prompt.tsx';
import { followInto, insideFromOutside } from './zone/zone-location.ts';
import { closePin, useZonePlace } from './zone/zone-place.ts';
import { lazily, lazyScreen } from '../ui/lazily.tsx';

const ZoneBar = lazily(() => import('./zone/zone-bar.tsx'));
const SignIn = lazyScreen(() => import('../screens/sign-in/sign-in-screen.tsx'));

export const App = () => (
  <LocationProvider scope={`${ROOT}/`}>
    <GuardedLocation>
      <Gate />
    </GuardedLocation>
  </LocationProvider>
);

/** Signing in, or the workspace. */
function Gate() {
  const { path } = useLocation();
  useEffect(() => {
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
  if (isSignedIn.value === undefined) return openFailure.value ? <Offline /> : null;
  if (!isSignedIn.value || path === `${ROOT}/sign-in`)
    return (
      <ErrorBoundary>
        <SignIn />
      </ErrorBoundary>
    );
  return (
    <div class="window">
      <Connection />
      <Workspace />
    </div>
  );
}

function Workspace() {
  const place = useZonePlace(useLocation());
  const { outer } = place;
  const { route } = outer;
  useEffect(() => {
    const controller = new AbortController();
    void followChanges(controller.signal);
    return () => controller.abort();
  }, []);
  useActions(useMemo(() => placeActions(route), [route]));
  useActions(
    useMemo(
      () => [
        {
          id: 'undo',
          group: 'everywhere' as const,
          label: () => t().shell.undo,
          keys: ['Ctrl+Z'],
          isEnabled: canUndo,
          run: undoLast,
        },
      ],
      [],
    ),
  );
  const { zone, behind, isInside } = place;
  const path = isInside ? (zoneUrl.value ?? '') : behind.path;
  const isNarrow = path.startsWith(`${ROOT}/object/`);
  const follow = zone && followInto(insideFromOutside, route);
  return (
    <div
      class={`app${isNarrow ? ' narrow' : ''}${zone ? ' night' : ''}`}
      onClick={follow}
      onAuxClick={follow}
    >
      <a class="skip" href="#main">
        {t().shell.skip}
      </a>
      <ErrorBoundary>{zone && <ZoneBar zone={zone} />}</ErrorBoundary>
      <LocationProvider.ctx.Provider value={isInside ? outer : behind}>
        <TopBar key={place.locks} />
        <Rail key={place.revision} />
      </LocationProvider.ctx.Provider>
      <LocationProvider.ctx.Provider value={behind}>
        <IsBehind.Provider value={isInside}>
          <div class="screens" inert={isInside}>
            <Routes key={place.revision} />
          </div>
        </IsBehind.Provider>
        <Dock />
      </LocationProvider.ctx.Provider>
      <ErrorBoundary>
        {place.asksPin && <PinPrompt onClose={() => closePin(behind, route)} />}
      </ErrorBoundary>
      <Island key={place.locks} of={Front} props={{ location: outer, isInside }} />
    </div>
  );
}

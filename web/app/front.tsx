import { ErrorBoundary, LocationProvider } from 'preact-iso';
import { lazyScreen } from '../ui/lazily.tsx';
import { HelpDialog } from '../keys/help-dialog.tsx';
import { Palette } from '../keys/palette.tsx';
import { Toasts } from '../ui/toasts.tsx';
import Uploads from '../uploads/uploads.tsx';
import type { Location } from './zone/zone-location.ts';

const HiddenScreen = lazyScreen(() => import('../screens/hidden/hidden-screen.tsx'));

export interface FrontProps {
  readonly location: Location;
  /** Whether the hidden documents are shown. */
  readonly isInside: boolean;
}

/** What may show something of the hidden zone over any screen. It is made anew when the zone locks. */
export const Front = ({ location, isInside }: FrontProps) => (
  <LocationProvider.ctx.Provider value={location}>
    <ErrorBoundary>{isInside && <HiddenScreen />}</ErrorBoundary>
    <Uploads />
    <Palette />
    <HelpDialog />
    <Toasts />
  </LocationProvider.ctx.Provider>
);

import { ErrorBoundary } from 'preact-iso';
import { FolderTree } from './folders/folder-tree.tsx';
import { PLACES } from './navigation.ts';
import { withStyles } from './style-sheet.ts';
import { lazily } from '../ui/lazily.tsx';

const ChatRail = lazily(() => import('../screens/conversation/chat-list.tsx'));
const SettingsRail = lazily(() => import('../screens/settings/section-links.tsx'));
const CalendarRail = lazily(() =>
  withStyles(import('../screens/calendar/calendar-rail.tsx'), 'calendar'),
);

/** What belongs to the screen: folders in the library and beside links, conversations in Ask and Agent, a month, sections in the settings. */
export function RailBelow({ path }: { path: string }) {
  const place = PLACES.find(({ covers }) => covers.test(path));
  return (
    <div class="below">
      {(place?.id === 'library' || place?.id === 'shares') && <FolderTree path={path} />}
      <ErrorBoundary>
        {(place?.id === 'ask' || place?.id === 'agent') && <ChatRail path={path} />}
      </ErrorBoundary>
      <ErrorBoundary>{place?.id === 'calendar' && <CalendarRail />}</ErrorBoundary>
      <ErrorBoundary>{place?.id === 'settings' && <SettingsRail path={path} />}</ErrorBoundary>
    </div>
  );
}

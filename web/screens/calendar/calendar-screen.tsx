import { useLocation } from 'preact-iso';
import { ROOT } from '../../app/address.ts';
import { CalendarView } from './calendar-view.tsx';
import { ExchangeScreen } from './exchange-screen.tsx';
import { shownOf } from './view-state.ts';

/** Events by month, week and day, and their exchange with other calendars. */
export default function CalendarScreen() {
  const { path, query } = useLocation();
  if (path.startsWith(`${ROOT}/calendar/exchange`)) return <ExchangeScreen />;
  return <CalendarView shown={shownOf(query)} />;
}

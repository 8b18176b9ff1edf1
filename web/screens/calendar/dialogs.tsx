import { EventDialog } from './event-dialog.tsx';
import { EditEventForm, NewEventForm } from './event-form.tsx';
import { ScopeDialog } from './scope-dialog.tsx';
import { useEffect, useRef } from 'preact/hooks';
import { calendarDialog } from './sheet-state.ts';

/** The dialog over the calendar, if there is one. */
export function CalendarDialogs({ onClose }: { onClose: () => void }) {
  const { value: shown } = calendarDialog;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !shown) onClose();
    wasOpen.current = shown !== undefined;
  });
  switch (shown?.kind) {
    case 'event':
      return <EventDialog key={shown.item.key} item={shown.item} />;
    case 'new':
      return <NewEventForm times={shown.times} />;
    case 'edit':
      return <EditEventForm item={shown.item} event={shown.event} />;
    case 'scope':
      return <ScopeDialog question={shown.question} />;
    case undefined:
      return null;
  }
}

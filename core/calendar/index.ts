export { agenda } from './agenda.ts';
export { changeOccurrence, excludeOccurrence } from './change-occurrence.ts';
export type { EventDraft, TimeInput } from './details.ts';
export {
  createEvent,
  deleteEvent,
  editEvent,
  getEvent,
  listEvents,
  recreateEvent,
  type EventEdit,
} from './events.ts';
export { CALENDAR_NAME, closeFeed, exportCalendar, openFeed, readFeed } from './export.ts';
export { exportEvents } from './ical-export.ts';
export { importCalendar, importEvents, type CalendarImport } from './import.ts';
export type { Occurrence } from './occurrence.ts';
export { sendDueReminders } from './remind.ts';
export { splitEvent } from './split.ts';
export type { EventView } from './view.ts';
export { validateEvents } from './ical-import.ts';

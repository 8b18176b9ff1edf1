export { agenda } from './agenda.ts';
export { changeOccurrence, leaveOutOccurrence } from './change-occurrence.ts';
export type { EventDraft, SentMoment } from './details.ts';
export {
  createEvent,
  deleteEvent,
  editEvent,
  getEvent,
  listEvents,
  type EventEdit,
} from './events.ts';
export { CALENDAR_NAME, closeFeed, exportCalendar, openFeed, readFeed } from './export.ts';
export { filedCalendar } from './filed.ts';
export { importCalendar, takeEvents, type CalendarImport } from './import.ts';
export type { Occurrence } from './occurrence.ts';
export { remindDue } from './remind.ts';
export { splitEvent } from './split.ts';
export type { EventView } from './view.ts';
export { faultsOf } from './understood.ts';

import type { CalendarEvent } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import { ruleLabel } from '../recurrence/index.ts';
import { notFound } from '../shared/common-errors.ts';
import { spanOf, type Span } from './details.ts';
import { ruleOf } from './occurrence.ts';

/** An event as shown: its rule, and the span of its first occurrence. */
export interface EventView {
  readonly event: CalendarEvent;
  readonly span: Span;
  /** The rule in plain English; '' for a single event. */
  readonly label: string;
}

export function viewOf(zones: TimeZones, event: CalendarEvent): EventView {
  const rule = ruleOf(event);
  const onClocks = (instant: Instant) => zones.toLocal(event.tz, instant);
  const label = rule ? ruleLabel(rule, event.start, event.allDay, onClocks) : '';
  return { event, span: spanOf(zones, event), label };
}

export async function findEvent(
  { calendar }: Pick<Stores, 'calendar'>,
  id: string,
): Promise<CalendarEvent> {
  const event = await calendar.find(id);
  if (!event) throw notFound();
  return event;
}

import { defineError } from '../shared/errors.ts';

export const windowTooFull = defineError(
  'meaningless',
  'window_too_full',
  'Too much takes place in this window. Ask for a shorter one.',
);
export const tooManyExceptions = defineError(
  'conflict',
  'too_many_exceptions',
  'Too many occurrences of this series are not as its rule has them. Split it.',
);
export const notACalendar = defineError(
  'meaningless',
  'not_a_calendar',
  'This is no calendar file (iCalendar, RFC 5545).',
);

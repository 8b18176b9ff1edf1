import { defineError } from '../shared/errors.ts';

export const tooManyOccurrences = defineError(
  'invalid-argument',
  'too_many_occurrences',
  'The window contains too many occurrences. Request a shorter one.',
);
export const tooManyExceptions = defineError(
  'conflict',
  'too_many_exceptions',
  'Too many occurrences of this series are modified. Split the series.',
);
export const notACalendar = defineError(
  'invalid-argument',
  'not_a_calendar',
  'The file is not a calendar (iCalendar, RFC 5545).',
);

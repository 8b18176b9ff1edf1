import { intlTimeZones } from '../adapters/node/time-zones.ts';
import { icalendarFormat } from '../adapters/icalendar/calendar-format.ts';
import { calendarFormatContract } from './suites/calendar-format.ts';

const zones = intlTimeZones();
const format = icalendarFormat(zones);

describe('icalendar: CalendarFormat', () => calendarFormatContract(format, zones));

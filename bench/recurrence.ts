/**
 * Measures the recurrence engine: `node bench/recurrence.ts`. Prints the cost of a series in a window of one month,
 * now and 20 years ahead, by kind of rule, and the time for worst-case rules.
 */
import { intlTimeZones } from '../adapters/node/time-zones.ts';
import { boundsOf, occurrences, parseRule, type Recurrence } from '../core/recurrence/index.ts';

const DAY = 86_400_000;
const SERIES = 1_000;
const ROUNDS = 60;
const NOW = Date.UTC(2026, 10, 1);
const LATER = Date.UTC(2046, 10, 1);
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Sydney'];
const RULES = [
  ...['FREQ=DAILY', 'FREQ=DAILY;INTERVAL=3', 'FREQ=DAILY;BYHOUR=9,12,15'],
  ...['FREQ=DAILY;UNTIL=20991231T000000Z', 'FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ...['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE', 'FREQ=WEEKLY;BYDAY=TU,TH;COUNT=5000'],
  ...['FREQ=WEEKLY;INTERVAL=4;WKST=SU;BYDAY=SU', 'FREQ=MONTHLY', 'FREQ=MONTHLY;BYDAY=-1FR'],
  ...['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'FREQ=MONTHLY;BYMONTHDAY=1,15'],
  ...['FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1', 'FREQ=YEARLY', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
  ...['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', 'FREQ=YEARLY;BYYEARDAY=1,100,200'],
  ...['FREQ=YEARLY;BYDAY=MO,TU;BYSETPOS=1,-1', 'FREQ=HOURLY;INTERVAL=6'],
];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour).join();
const DATES = Array.from({ length: 31 }, (_, date) => date + 1).join();
/** Rules that never match, match once in centuries, or have the maximum of candidates. */
const HOSTILE = [
  ...['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'],
  ...[
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;BYMINUTE=0,15,30,45',
    'FREQ=HOURLY;INTERVAL=24;BYHOUR=5',
  ],
  ...[
    'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3',
    'FREQ=YEARLY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
  ],
  `FREQ=YEARLY;BYMONTHDAY=${DATES};BYHOUR=${HOURS};BYMINUTE=0,15,30,45;BYSETPOS=-1;COUNT=10000`,
  `FREQ=YEARLY;BYWEEKNO=53;BYMONTHDAY=1;BYDAY=FR;BYHOUR=${HOURS};BYMINUTE=0,15,30,45;BYSETPOS=366`,
  `FREQ=DAILY;BYHOUR=${HOURS};BYMINUTE=0,15,30,45;COUNT=10000`,
  ...[
    'FREQ=HOURLY;COUNT=10000',
    'FREQ=DAILY;INTERVAL=100;COUNT=10000',
    'FREQ=HOURLY;UNTIL=22001231',
  ],
];

const zones = intlTimeZones();

function seriesOf(text: string, index: number): Recurrence {
  const parsed = parseRule(text);
  if ('reason' in parsed) throw new Error(`${text}: ${parsed.reason}`);
  const allDay = index % 7 === 0;
  const midnight = Date.UTC(2018 + (index % 6), index % 12, 1 + (index % 28));
  const start = allDay ? midnight : midnight + (8 + (index % 10)) * 3_600_000;
  const r = { rule: parsed.rule, start, tz: ZONES[index % ZONES.length]!, allDay };
  const bounds = boundsOf(zones, r);
  return bounds === undefined ? r : { ...r, start: bounds.first, last: bounds.last };
}

function monthOf(all: readonly Recurrence[], from: number): number {
  let found = 0;
  for (const r of all) {
    const walk = occurrences(zones, r, from, from + 30 * DAY);
    while (walk.next().done !== true) found += 1;
  }
  return found;
}

/** The minimum of many runs, in microseconds per series. */
function cost(all: readonly Recurrence[], from: number): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    monthOf(all, from);
    least = Math.min(least, performance.now() - begin);
  }
  return (least / all.length) * 1000;
}

const mixed = Array.from({ length: SERIES }, (_, index) =>
  seriesOf(RULES[index % RULES.length]!, index),
);
const begin = performance.now();
const found = monthOf(mixed, NOW);
const cold = performance.now() - begin;
const [now, later] = [cost(mixed, NOW), cost(mixed, LATER)];
console.log(
  `${SERIES} mixed series, ${found} occurrences in a month: ${now.toFixed(1)} µs a series, 20 years ahead ${later.toFixed(1)} µs (${(later / now).toFixed(2)} times); the first time ${cold.toFixed(0)} ms in all`,
);
for (const text of RULES) {
  const same = Array.from({ length: 100 }, (_, index) => seriesOf(text, index));
  console.log(`  ${cost(same, NOW).toFixed(1).padStart(5)} µs ${text}`);
}
for (const text of HOSTILE) {
  const begin = performance.now();
  const r = seriesOf(text, 1);
  const bounds = performance.now() - begin;
  const again = performance.now();
  occurrences(zones, r, LATER).next();
  const next = performance.now() - again;
  console.log(
    `  bounds ${bounds.toFixed(1).padStart(5)} ms, the next in 20 years ${next.toFixed(2)} ms: ${text.slice(0, 90)}`,
  );
}

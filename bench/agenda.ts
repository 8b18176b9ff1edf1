import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fill } from './data.ts';
import { serve, type Server } from './processes.ts';

const TIMES = 40;
const WARMING = 10;

/** Common kinds of series, and some unusual ones. */
const RULES = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU',
  'FREQ=MONTHLY;BYMONTHDAY=15',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
  'FREQ=YEARLY',
  'FREQ=YEARLY;BYMONTH=3,9;BYDAY=2SU',
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=WEEKLY;BYDAY=SA,SU;WKST=SU',
  'FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1,-1',
  'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
];
const ZONES = ['Europe/Berlin', 'America/New_York', 'UTC', 'Asia/Kolkata', 'Australia/Sydney'];

/** Rules with the highest cost: many occurrences per day, or years without a match. */
const HOSTILE = [
  `FREQ=HOURLY;BYMINUTE=0,15,30,45`,
  'FREQ=YEARLY;INTERVAL=9999',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;INTERVAL=4',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=HOURLY;INTERVAL=9999;BYMONTH=2;BYMONTHDAY=29',
  'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6,9,11',
  'FREQ=YEARLY;BYYEARDAY=366;BYDAY=SU;BYSETPOS=2',
  'FREQ=DAILY;COUNT=10000;BYDAY=MO;BYMONTH=1;BYMONTHDAY=1',
];

export interface AgendaFigure {
  readonly what: string;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  readonly items: number;
}

/** One month of a calendar with this many series, today and twenty years ahead, requested by one client. */
export async function agendaFigures(
  folder: string,
  cli: string,
  roles: string,
  counts: readonly number[],
): Promise<readonly AgendaFigure[]> {
  const figures: AgendaFigure[] = [];
  for (const count of counts) {
    const dataDir = join(folder, `calendar-${count}`);
    await mkdir(dataDir);
    const { bearer } = await fill(dataDir, 1);
    const env = { DATA_DIR: dataDir, PORT: '0', ROLES_FILE: roles };
    const server = await serve(`calendar of ${count}`, [cli, 'serve', '--json'], env);
    await send(server, bearer, calendarOf(count));
    for (const [when, year] of [
      ['now', 2026],
      ['20 years ahead', 2046],
    ] as const)
      figures.push(await month(server, bearer, `${count} series, ${when}`, year));
    if (count === counts[0]) figures.push(await slowestRule(server, bearer));
    await server.stop();
  }
  return figures;
}

function calendarOf(count: number): string {
  const events = Array.from({ length: count }, (_, i) => {
    const day = String((i % 28) + 1).padStart(2, '0');
    const hour = String(7 + (i % 12)).padStart(2, '0');
    const zone = ZONES[i % ZONES.length] ?? 'UTC';
    const of = (time: string) => (zone === 'UTC' ? `:${time}Z` : `;TZID=${zone}:${time}`);
    return [
      'BEGIN:VEVENT',
      `UID:bench-${i}`,
      `DTSTART${of(`202501${day}T${hour}0000`)}`,
      `DTEND${of(`202501${day}T${hour}4500`)}`,
      `RRULE:${RULES[i % RULES.length]}`,
      `SUMMARY:Series number ${i}`,
      'END:VEVENT',
    ].join('\r\n');
  });
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
}

async function send(server: Server, bearer: string, calendar: string): Promise<void> {
  const response = await fetch(`${server.base}/v1/calendar/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'text/calendar' },
    body: calendar,
  });
  const body = await response.text();
  if (!body.includes('"errors":[]')) throw new Error(`The calendar was not taken: ${body}`);
}

async function month(
  server: Server,
  bearer: string,
  what: string,
  year: number,
): Promise<AgendaFigure> {
  const path = `${server.base}/v1/calendar/agenda?from=${year}-03-01&to=${year}-04-01&limit=500`;
  const times: number[] = [];
  let items = 0;
  for (let n = -WARMING; n < TIMES; n++) {
    const from = performance.now();
    const response = await fetch(path, { headers: { authorization: `Bearer ${bearer}` } });
    const { total } = (await response.json()) as { total: number };
    if (n >= 0) times.push(performance.now() - from);
    items = total;
  }
  return { what, ...spread(times), items };
}

/** Creates an event and reads a month of it, which is the slowest request. */
async function slowestRule(server: Server, bearer: string): Promise<AgendaFigure> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const times: number[] = [];
  for (const rrule of HOSTILE) {
    const body = {
      title: rrule,
      starts_at: '2026-01-01T09:00',
      ends_at: '2026-01-01T09:10',
      rrule,
    };
    const from = performance.now();
    const created = await fetch(`${server.base}/v1/calendar/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    await created.text();
    times.push(performance.now() - from);
  }
  return {
    what: `${HOSTILE.length} hostile rules, one by one`,
    ...spread(times),
    items: times.length,
  };
}

function spread(times: number[]): Pick<AgendaFigure, 'p50 ms' | 'p99 ms'> {
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    Number((times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0).toFixed(1));
  return { 'p50 ms': at(0.5), 'p99 ms': at(0.99) };
}

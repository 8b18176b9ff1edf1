/**
 * Expands one case at a time with rrule-temporal, for bench/recurrence-check.ts, in a worker thread that can be
 * terminated.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Case, Expanded } from './recurrence-cases.ts';

const loaded = createRequire(join(String(workerData), 'package.json'));
const { Temporal } = loaded('temporal-polyfill');
const { RRuleTemporal } = loaded('rrule-temporal');

function expand({ rule, start, end, tz }: Case): Expanded {
  try {
    const local = start.replace(/[-:]/g, '');
    const series = new RRuleTemporal({
      rruleString: `DTSTART;TZID=${tz}:${local}\nRRULE:${rule}`,
      temporal: Temporal,
    });
    const to = Temporal.PlainDateTime.from(end).toZonedDateTime(tz);
    const from = Temporal.PlainDateTime.from(start).toZonedDateTime(tz);
    const found: string[] = series
      .between(new Date(from.epochMilliseconds), new Date(to.epochMilliseconds - 1000), true)
      .map((it: { epochMilliseconds: number }) =>
        new Date(it.epochMilliseconds).toISOString().slice(0, 19),
      );
    return { found };
  } catch (error) {
    return { failure: String(error) };
  }
}

parentPort?.on('message', (it: Case) => parentPort?.postMessage(expand(it)));

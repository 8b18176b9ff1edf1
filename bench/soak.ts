/**
 * Sustained load: `npm run bench:soak [-- --minutes=10 --rate=400 --objects=100000]`. 64 connections of a separate
 * process send a realistic mix of requests, nine tenths of them reads, to a service with data. Reported each minute:
 * response times, failures, memory and open files of the service. The test passes without errors, with p99 under 100
 * ms, and with memory at the end within a tenth of that after the first minute. Writes its results to
 * bench/results/soak.json. The connections send at a fixed rate with think times, as clients do. A closed loop without
 * pauses would send as much as the service can process: its queue is always as long as the number of connections, and
 * says nothing about waiting.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KindName } from './request-mix.ts';
import type { Interval } from './workload.ts';
import { machine } from './report.ts';
import { openUnderLoad } from './server-under-test.ts';

const CONNECTIONS = 64;
const MINUTE = 60;
const MAX_P99_MS = 100;
const MAX_HEAP_GROWTH = 1.1;
/** Share of the requested rate. Below it the load was not sustained. */
const MIN_RATE_SHARE = 0.95;
const KINDS = [
  ...['newest', 'filtered', 'one', 'search', 'poll', 'rename', 'note', 'upload'],
] as KindName[];

const told = (name: string, byDefault: number): number =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? byDefault);
const [minutes, rate, objects] = [told('minutes', 10), told('rate', 400), told('objects', 100_000)];
const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

const stretches: Interval[] = [];
const rows: Record<string, number>[] = [];
const resident: number[] = [];
const service = await openUnderLoad(objects);
try {
  const { server } = service;
  console.log(`${CONNECTIONS} connections, ${rate} requests a second, ${minutes} minutes …`);
  let cpu = server.cpuSeconds();
  await service.put(
    {
      ...{ connections: CONNECTIONS, seconds: minutes * MINUTE },
      ...{ everySeconds: MINUTE, perSecond: rate, kinds: KINDS },
    },
    async (stretch) => {
      // The last line covers the moment in which all clients stop.
      if (stretches.length >= minutes) return;
      stretches.push(stretch);
      const used = server.cpuSeconds() - cpu;
      cpu += used;
      resident.push(server.residentMB());
      const row = {
        minute: stretches.length,
        'requests/s': rounded(stretch.requests / MINUTE),
        'p50 ms': stretch.times.p50,
        'p99 ms': stretch.times.p99,
        'max ms': stretch.times.max,
        failed: stretch.failed.length,
        shed: stretch.shed,
        'CPU %': rounded((used / MINUTE) * 100),
        'RSS MB': rounded(server.residentMB()),
        'heap MB': rounded(await service.heapMB()),
        descriptors: service.descriptors(),
      };
      rows.push(row);
      console.log(JSON.stringify(row));
    },
  );
} finally {
  await service.close();
}

console.table(rows);
console.table(stretches.at(-1)?.byKind);
for (const { failed } of stretches) for (const why of failed.slice(0, 5)) console.log(why);

const sum = (of: (stretch: Interval) => number) =>
  stretches.reduce((all, stretch) => all + of(stretch), 0);
const held = rounded(sum(({ requests }) => requests) / (stretches.length * MINUTE));
const goals = [
  goal('requests a second', held, 'at least', rate * MIN_RATE_SHARE),
  goal(
    'p99 ms of the worst minute',
    most(({ times }) => times.p99),
    'at most',
    MAX_P99_MS,
  ),
  goal(
    'requests that failed',
    sum(({ failed }) => failed.length),
    'at most',
    0,
  ),
  goal(
    'requests that were shed',
    sum(({ shed }) => shed),
    'at most',
    0,
  ),
  goal(
    'memory at the end against the first minute',
    rounded((resident.at(-1) ?? NaN) / (resident[0] ?? NaN), 3),
    'at most',
    MAX_HEAP_GROWTH,
  ),
];
console.table(goals);
const results = join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
await writeFile(
  join(results, 'soak.json'),
  `${JSON.stringify({ at: new Date().toISOString(), machine, objects, rate, rows, stretches, goals }, null, 2)}\n`,
);
if (goals.some(({ met }) => met === 'MISSED')) process.exitCode = 1;

function most(of: (stretch: Interval) => number): number {
  return Math.max(...stretches.map(of));
}

function goal(what: string, measured: number, bound: 'at most' | 'at least', value: number) {
  const met = bound === 'at most' ? measured <= value : measured >= value;
  return { what, measured, bound: `${bound} ${rounded(value)}`, met: met ? 'yes' : 'MISSED' };
}

/**
 * Overload: `npm run bench:overload [-- --seconds=8 --only=WORD,WORD…]`. Hundreds of clients without think time send
 * expensive requests, and retry immediately after a 503. Printed for each scenario: the number of responses and of
 * rejections, the latency of both, the latency of health checks meanwhile, the memory used, and the recovery time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KindName } from './request-mix.ts';
import type { Interval } from './workload.ts';
import { machine } from './report.ts';
import { openUnderLoad } from './server-under-test.ts';

const told = (name: string, byDefault: string): string =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? byDefault;
const seconds = Number(told('seconds', '8'));
const only = told('only', '').split(',');
const OBJECTS = Number(told('objects', '100000'));
const PROBE_MS = 100;
const BACK_OFF_MS = 100;

const CROWDS: readonly (readonly [string, number, readonly KindName[]])[] = [
  ['lists, 500', 500, ['newest']],
  ['lists, 2000', 2_000, ['newest']],
  ['search of a word in all, 500', 500, ['common']],
  ['search of a word in all, 2000', 2_000, ['common']],
  ['renames, 500', 500, ['rename']],
  ['small uploads, 500', 500, ['upload']],
  ['everything, 2000', 2_000, ['newest', 'one', 'search', 'poll', 'rename', 'note', 'upload']],
];

const service = await openUnderLoad(OBJECTS);
const rows: Record<string, string | number>[] = [];
try {
  const { server } = service;
  for (const [crowd, connections, kinds] of CROWDS) {
    if (!only.some((word) => crowd.includes(word))) continue;
    const probes: number[] = [];
    let [most, unhealthy, over] = [0, 0, false];
    const probing = (async () => {
      while (!over) {
        const from = performance.now();
        const healthy = await fetch(`${server.base}/health`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (healthy) probes.push(performance.now() - from);
        else unhealthy++;
        most = Math.max(most, server.residentMB());
        await pause(PROBE_MS);
      }
    })();
    const stretches: Interval[] = [];
    const from = performance.now();
    const before = server.cpuSeconds();
    await service.put(
      { connections, seconds, everySeconds: 3_600, kinds, backOffMs: BACK_OFF_MS },
      (stretch) => void stretches.push(stretch),
    );
    const took = (performance.now() - from) / 1_000;
    const cpu = server.cpuSeconds() - before;
    over = true;
    await probing;
    const after = performance.now();
    await (
      await fetch(`${server.base}/v1/objects`, {
        headers: { authorization: `Bearer ${service.bearer}` },
      })
    ).text();
    const [{ requests, failed, shed, times, shedTimes }] = stretches as [Interval];
    const row = {
      crowd,
      'answered/s': Math.round(times.count / took),
      'p50 ms': Math.round(times.p50),
      'p99 ms': Math.round(times.p99),
      'max ms': Math.round(times.max),
      'shed/s': Math.round(shed / took),
      'shed p50 ms': Math.round(shedTimes.p50),
      'shed p99 ms': Math.round(shedTimes.p99),
      failed: failed.length,
      'health failed': unhealthy,
      'health max ms': Math.round(Math.max(...probes)),
      'RSS MB': Math.round(most),
      'CPU s': Number(cpu.toFixed(1)),
      'after ms': Math.round(performance.now() - after),
    };
    rows.push(row);
    console.log(JSON.stringify({ ...row, requests, took: Math.round(took) }), failed.slice(0, 3));
  }
} finally {
  await service.close();
}
console.table(rows);
const results = join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
await writeFile(
  join(results, 'overload.json'),
  `${JSON.stringify({ at: new Date().toISOString(), machine, rows }, null, 2)}\n`,
);

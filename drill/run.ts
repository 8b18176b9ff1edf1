import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endAll } from './child.ts';
import { runDrill, undoAll, type Drill, type Environment, type Outcome } from './drill.ts';
import { disk } from './drills/disk.ts';
import { killDrills } from './drills/kill.ts';
import { ownBucket } from './drills/own-bucket.ts';
import { postgres } from './drills/postgres.ts';
import { redis } from './drills/redis.ts';
import { s3 } from './drills/s3.ts';
import { uncaught } from './drills/uncaught.ts';
import { openPostgres } from './postgres.ts';
import { DrillSkipped } from './external-programs.ts';
import { openRedis } from './redis.ts';
import { faultsOf, lineOf, rowOf } from './report.ts';

/**
 * Injects faults into a service under load, and checks all data that it has acknowledged. Exit status 1 if data was lost,
 * an effect happened twice, or a response is not excused by a fault.
 *
 *   npm run drill
 *   npm run drill -- --only kill,redis     names, or prefixes of them
 *   npm run drill -- --seconds 60          duration of an outage of the bucket
 *   npm run drill -- --json
 */
const DRILLS: readonly Drill[] = [
  ...killDrills,
  ...uncaught,
  ...postgres,
  ...redis,
  ...s3,
  ...ownBucket,
  ...disk,
];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const wanted = values.only?.split(',').map((name) => name.trim());
const isWanted = ({ name }: Drill) => wanted?.some((it) => name.startsWith(it)) ?? true;
const unknown = wanted?.filter((it) => !DRILLS.some(({ name }) => name.startsWith(it))) ?? [];
const seconds = Number(values.seconds);
if (unknown.length > 0 || !(seconds >= 1 && seconds <= 600)) {
  const names = [...new Set(DRILLS.map(({ name }) => name))].join(', ');
  console.error(`--only takes of ${names}; --seconds a number from 1 to 600.`);
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'ow-drill-'));
// Postgres may run as another user.
await chmod(folder, 0o755);
const once = <T>(open: () => Promise<T>) => {
  let opened: Promise<T> | undefined;
  return () => (opened ??= open());
};
const ground: Environment = {
  folder,
  seconds,
  undo: new Set(),
  postgres: once(() => openPostgres(folder)),
  redis: once(() => openRedis(folder)),
};
const leave = async () => {
  await endAll();
  await undoAll(ground);
  await rm(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void leave().finally(() => process.exit(130)));

const say = (line: string) => console.error(line);
const outcomes: Outcome[] = [];
const leftOut: { drill: string; profile: string; why: string }[] = [];
const broken: string[] = [];
for (const drill of DRILLS.filter(isWanted)) {
  const title = `${drill.name} (${drill.profile})`;
  say(`${title}: ${drill.does}`);
  try {
    const outcome = await runDrill(drill, ground);
    outcomes.push(outcome);
    say(`  ${lineOf(outcome)}`);
    for (const fault of faultsOf(outcome)) say(`  ${fault}`);
  } catch (error) {
    if (error instanceof DrillSkipped) {
      leftOut.push({ drill: drill.name, profile: drill.profile, why: error.message });
      say(`  left out: ${error.message}`);
      continue;
    }
    broken.push(`${title}: ${(error as Error).message}`);
    say(`  did not come to its end: ${(error as Error).stack ?? String(error)}`);
  }
}
await leave();

if (values.json) console.log(JSON.stringify({ seconds, outcomes, left_out: leftOut, broken }));
else console.table(outcomes.map(rowOf));
const sound = broken.length === 0 && outcomes.every((it) => faultsOf(it).length === 0);
process.exitCode = sound ? 0 : 1;

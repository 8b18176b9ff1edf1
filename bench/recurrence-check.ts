/**
 * Compares the recurrence engine with python-dateutil and rrule-temporal on generated rules, and prints where they differ,
 * by class and with an example: `node bench/recurrence-check.ts [cases] [folder]`. dateutil has to be there for python3,
 * rrule-temporal and temporal-polyfill in node_modules of the folder; without a folder it is left out.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { intlTimeZones } from '../adapters/node/time-zones.ts';
import { type Case, casesOf, type Expanded, NO_CLOCKS } from './recurrence-cases.ts';
import { type Classes, OF_DATEUTIL, OF_TEMPORAL } from './recurrence-classes.ts';

const [count = '4000', folder] = process.argv.slice(2);
const SEED = 5545;
const PATIENCE_MS = 3_000;

type Expander = { expand(it: Case): Promise<Expanded>; close(): unknown };

function dateutil(): Expander {
  const script = join(import.meta.dirname, 'recurrence_dateutil.py');
  const child = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    expand: async ({ rule, start, end }) => {
      child.stdin.write(`${JSON.stringify({ rule, start, end })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('python3 or dateutil is missing');
      return JSON.parse(value) as Expanded;
    },
    close: () => child.stdin.end(),
  };
}

function temporal(from: string): Expander {
  const start = () =>
    new Worker(join(import.meta.dirname, 'recurrence-temporal.ts'), { workerData: from });
  let worker = start();
  return {
    expand: async (it) => {
      worker.postMessage(it);
      const timeout = AbortSignal.timeout(PATIENCE_MS);
      try {
        const [expanded] = await once(worker, 'message', { signal: timeout });
        return expanded as Expanded;
      } catch (error) {
        if (!timeout.aborted) throw error;
        await worker.terminate();
        worker = start();
        return { failure: `no answer within ${PATIENCE_MS / 1000} s` };
      }
    },
    close: () => worker.terminate(),
  };
}

/** Prints how many agree, and of each class of those that do not the number and the shortest rule. */
async function compare(
  name: string,
  expander: Expander,
  cases: readonly Case[],
  by: 'readings' | 'instants',
  known: Classes,
) {
  const classes = new Map<string, { count: number; example: string }>();
  let agreed = 0;
  for (const it of cases) {
    const expanded = await expander.expand(it);
    const ours = it[by];
    const theirs = 'found' in expanded ? expanded.found : [];
    if ('found' in expanded && theirs.join() === ours.join()) {
      agreed += 1;
      continue;
    }
    const label =
      'failure' in expanded
        ? `fails: ${expanded.failure.slice(0, 90)} (${ours.length > 0 ? 'there are some' : 'there is none'})`
        : (known.find(([, holds]) => holds(it.parsed, it))?.[0] ?? 'not explained');
    const index = ours.findIndex((time, at) => time !== theirs[at]);
    const at = index < 0 ? ours.length : index;
    const example = `${it.start} ${it.tz} ${it.rule}\n      at ${at}: ours ${ours.slice(at, at + 2).join(' ')}, theirs ${theirs.slice(at, at + 2).join(' ')}`;
    const before = classes.get(label);
    classes.set(label, {
      count: (before?.count ?? 0) + 1,
      example: before && before.example.length <= example.length ? before.example : example,
    });
  }
  expander.close();
  console.log(`${name}: ${agreed} of ${cases.length} agree`);
  for (const [label, { count, example }] of [...classes].sort((a, b) => b[1].count - a[1].count))
    console.log(`  ${count} ${label}\n      ${example}`);
}

const cases = casesOf(intlTimeZones(), Number(count), SEED);
// dateutil expands readings and knows no gaps.
const plain = casesOf(NO_CLOCKS, Number(count), SEED);
await compare('python-dateutil', dateutil(), plain, 'readings', OF_DATEUTIL);
if (folder !== undefined)
  await compare('rrule-temporal', temporal(folder), cases, 'instants', OF_TEMPORAL);

/**
 * Compares the recurrence engine with python-dateutil and rrule-temporal on generated rules, and prints the
 * differences by class with an example: `node bench/recurrence-check.ts [cases] [folder]`. dateutil has to be
 * installed for python3, rrule-temporal and temporal-polyfill in node_modules of the folder; without a folder that
 * comparison is skipped.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { intlTimeZones } from '../adapters/node/time-zones.ts';
import { type Case, casesOf, type Expanded, NO_CLOCKS } from './recurrence-cases.ts';
import { type Classes, DATEUTIL_DIFFERENCES, TEMPORAL_DIFFERENCES } from './recurrence-classes.ts';

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

interface Class {
  count: number;
  /** Of these the other library agrees with this engine. */
  seconded: number;
  example: string;
}

/**
 * Prints how many agree, and for each class of differences the number and the shortest rule. Returns the indexes of
 * those that agree; `others` are those of another library.
 */
async function compare(
  { name, by, known }: { name: string; by: 'readings' | 'instants'; known: Classes },
  expander: Expander,
  cases: readonly Case[],
  others?: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  const classes = new Map<string, Class>();
  const agreed = new Set<number>();
  for (const [index, it] of cases.entries()) {
    const expanded = await expander.expand(it);
    const theirs = 'found' in expanded ? expanded.found : [];
    if ('found' in expanded && theirs.join() === it[by].join()) {
      agreed.add(index);
      continue;
    }
    const label = labelOf(it, expanded, known);
    const example = exampleOf(it, it[by], theirs);
    const { count, seconded, ...before } = classes.get(label) ?? { count: 0, seconded: 0, example };
    classes.set(label, {
      count: count + 1,
      seconded: seconded + (others?.has(index) ? 1 : 0),
      example: before.example.length <= example.length ? before.example : example,
    });
  }
  expander.close();
  console.log(`${name}: ${agreed.size} of ${cases.length} agree`);
  for (const [label, it] of [...classes].sort((a, b) => b[1].count - a[1].count)) {
    const seconded = others === undefined ? '' : `, ${it.seconded} of them as dateutil has it`;
    console.log(`  ${it.count} ${label}${seconded}\n      ${it.example}`);
  }
  return agreed;
}

function labelOf(it: Case, expanded: Expanded, known: Classes): string {
  const name = known.find(([, holds]) => holds(it.parsed, it))?.[0];
  if (!('failure' in expanded)) return name ?? 'not explained';
  const found = it.readings.length === 0 ? 'there is none' : (name ?? 'there are some');
  return `fails: ${expanded.failure.slice(0, 90)} (${found})`;
}

function exampleOf(it: Case, ours: readonly string[], theirs: readonly string[]): string {
  const first = ours.findIndex((time, at) => time !== theirs[at]);
  const at = first < 0 ? ours.length : first;
  const [mine, other] = [ours, theirs].map((list) => list.slice(at, at + 2).join(' ') || 'none');
  return `${it.start} ${it.tz} ${it.rule}\n      from the ${at + 1}. on ours ${mine}, theirs ${other}`;
}

const cases = casesOf(intlTimeZones(), Number(count), SEED);
// dateutil expands local times and ignores gaps.
const plain = casesOf(NO_CLOCKS, Number(count), SEED);
const ofDateutil = {
  name: 'python-dateutil',
  by: 'readings',
  known: DATEUTIL_DIFFERENCES,
} as const;
const ofTemporal = { name: 'rrule-temporal', by: 'instants', known: TEMPORAL_DIFFERENCES } as const;
const agreed = await compare(ofDateutil, dateutil(), plain);
if (folder !== undefined) await compare(ofTemporal, temporal(folder), cases, agreed);

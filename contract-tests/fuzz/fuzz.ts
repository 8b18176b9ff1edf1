import type { Profile } from '../http/harness.ts';
import { requestOfLine, readLog, type LogLine } from './log-lines.ts';
import { minimize } from './minimize.ts';
import { runLane, type Sighting } from './lane.ts';
import { openWorld } from './world.ts';

export interface FuzzOptions {
  readonly profile: Profile;
  readonly seed: number;
  readonly requests: number;
  /** Concurrent senders, each with a separate owner and connection. */
  readonly lanes: number;
  readonly onProgress?: (created: number) => void;
}

/** One thing that is wrong, with the first request that showed it. */
export interface Finding extends Sighting {
  readonly count: number;
  /** The stack location from the log. */
  readonly thrown: string;
}

export interface FuzzReport {
  readonly profile: Profile;
  readonly requests: number;
  readonly seconds: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Operations that were never carried out: of them only refusals have been seen. */
  readonly neverDone: readonly string[];
  readonly findings: readonly Finding[];
  /** The state errors of the service afterwards. */
  readonly aftermath: readonly string[];
}

/** Maximum delay of a request's log entry after its response. */
const LOG_MS = 500;

/** Sends a number of hostile requests to a separate service, and reports violations. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { profile, seed, lanes } = options;
  const world = await openWorld(profile, lanes);
  try {
    const from = performance.now();
    const sightings: Sighting[] = [];
    const withoutBucket = new Set<number>();
    const statuses = new Map<number, number>();
    const done = new Set<string>();
    let created = 0;
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        runLane(world, {
          seed,
          lane,
          requests: Math.ceil(options.requests / lanes),
          onRequests: (count, status) => {
            created += count;
            statuses.set(status, (statuses.get(status) ?? 0) + count);
            options.onProgress?.(created);
          },
          onSuccess: (operation) => done.add(operation),
          onSighting: (sighting) => sightings.push(sighting),
          onBrokenBucket: (lane) => withoutBucket.add(lane),
        }),
      ),
    );
    const seconds = (performance.now() - from) / 1_000;
    const aftermath = await world.inspect();
    await new Promise((resolve) => setTimeout(resolve, LOG_MS));
    const log = readLog(world.service.logged());
    const shadows = logged(log.lines, sightings, withoutBucket);
    const findings: Finding[] = [];
    for (const finding of grouped([...sightings, ...shadows], log.lines))
      findings.push({ ...finding, request: await shortest(world.service.base, finding) });
    const neverDone = world.contract.operations.map(({ id }) => id).filter((id) => !done.has(id));
    return {
      ...{ profile, requests: created, seconds, statuses, neverDone, findings },
      // The last words of a process that dies are no line of the log either.
      aftermath: [...aftermath, ...log.strange.map((line) => `not a line of the log: ${line}`)],
    };
  } finally {
    await world.close();
  }
}

const MAX_MINIMIZED_BYTES = 2 ** 20;

/** The request of a finding, minimised. Only failures of the service are worth the attempts. */
const shortest = async (base: string, { request, status, code }: Finding): Promise<Buffer> =>
  status >= 500 && request.length < MAX_MINIMIZED_BYTES
    ? minimize(base, request, { status, code })
    : request;

/** Failures that only the log shows. */
function logged(
  lines: readonly LogLine[],
  sightings: readonly Sighting[],
  withoutBucket: ReadonlySet<number>,
): readonly Sighting[] {
  const seen = new Set(sightings.map(({ requestId }) => requestId));
  // A request whose own id was damaged on purpose or never arrived may be of any lane.
  const mayLackBucket = (requestId: string): boolean => {
    const [, lane] = /^fz-(\d+)-/.exec(requestId) ?? [];
    return lane === undefined ? withoutBucket.size > 0 : withoutBucket.has(Number(lane));
  };
  const isExplained = ({ thrown, requestId }: LogLine): boolean =>
    thrown.startsWith('UnavailableError') && mayLackBucket(requestId);
  return lines
    .filter((line) => !seen.has(line.requestId) && !isExplained(line))
    .map((line) => ({
      where: 'the log',
      problem: `${line.message} ${line.requestId}`,
      ...{ status: 0, code: '', requestId: line.requestId, changes: [] },
      ...{ request: Buffer.alloc(0), answer: line.thrown, lane: -1, index: -1 },
    }));
}

function grouped(sightings: readonly Sighting[], lines: readonly LogLine[]): readonly Finding[] {
  const groups = new Map<string, Finding>();
  for (const sighting of sightings) {
    const thrown =
      sighting.where === 'the log' ? sighting.answer : requestOfLine(lines, sighting.requestId);
    const { where, problem, status, code } = sighting;
    const key = JSON.stringify([where, problem.slice(0, 32), status, code, thrown]);
    const before = groups.get(key);
    // Of several the shortest is the easiest to read.
    const shown = before && before.request.length <= sighting.request.length ? before : sighting;
    groups.set(key, { ...shown, thrown, count: (before?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}

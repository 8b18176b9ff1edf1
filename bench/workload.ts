import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import {
  pickWeighted,
  type PlannedRequest,
  type KindName,
  type ClientState,
} from './request-mix.ts';

export interface MixLoad {
  readonly base: string;
  readonly bearer: string;
  readonly connections: number;
  readonly seconds: number;
  /** Reported periodically, as a line of JSON. */
  readonly everySeconds: number;
  /** Total rate of all connections; if absent, a closed loop without think time. */
  readonly perSecond?: number;
  readonly kinds: readonly KindName[];
  /** A JSON file with the objects that are read and renamed. */
  readonly objects: string;
  /** Delay after a 503; by default as in Retry-After. */
  readonly backOffMs?: number;
}

/** Results of one interval. */
export interface Interval {
  readonly requests: number;
  /** Neither a correct response nor a 503. */
  readonly failed: readonly string[];
  /** Rejected with 503. */
  readonly shed: number;
  /** Latency in milliseconds, of successful and of shed requests. */
  readonly times: Times;
  readonly shedTimes: Times;
  readonly byKind: Readonly<Record<string, Times>>;
}

export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * Virtual users with a connection each, in a separate process. Each sends a request, waits for the response, and
 * pauses for a random think time, so that the target rate is kept as long as responses arrive. A user that has fallen
 * behind skips think times to catch up.
 */
const load = JSON.parse(process.argv[2] ?? '{}') as MixLoad;
const objectIds = JSON.parse(readFileSync(load.objects, 'utf8')) as string[];
const next = pickWeighted(load.kinds);
const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
const until = performance.now() + load.seconds * 1_000;
const MAX_REPORTED_ERRORS = 5;
const PATIENCE_MS = 30_000;

let answered: { readonly kind: string; readonly ms: number }[] = [];
let shed: number[] = [];
let failed: string[] = [];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Got {
  readonly status: number;
  readonly etag: string | undefined;
  readonly retryAfter: number;
  readonly body: string;
}

function sent({ method, path, headers, body }: PlannedRequest): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const requested = request(
    load.base + path,
    {
      ...{ method, agent, timeout: PATIENCE_MS },
      headers: {
        ...headers,
        authorization: `Bearer ${load.bearer}`,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
    },
    (response) => {
      const { statusCode: status = 0 } = response;
      let text = '';
      if (status < 400) response.resume();
      else response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('error', reject).once('end', () => {
        const retryAfter = Number(response.headers['retry-after'] ?? 0);
        resolve({ status, etag: response.headers.etag, retryAfter, body: text });
      });
    },
  );
  requested
    .once('timeout', () => requested.destroy(new Error('No answer in time.')))
    .once('error', reject);
  requested.end(body);
  return promise;
}

async function once(memory: ClientState): Promise<void> {
  const kind = next();
  const ask = kind.ask(memory);
  const from = performance.now();
  try {
    const { status, etag, retryAfter, body } = await sent(ask);
    const ms = performance.now() - from;
    if (status < 400) answered.push({ kind: kind.name, ms });
    else if (status === 503 && retryAfter > 0) {
      shed.push(ms);
      await pause(load.backOffMs ?? retryAfter * 1_000);
    } else failed.push(`${kind.name}: ${status} ${body.slice(0, 200)}`);
    if (kind.name === 'poll' && etag !== undefined) memory.etag = etag;
  } catch (error) {
    failed.push(`${kind.name}: ${String(error)}`);
  }
}

async function user(): Promise<void> {
  const memory: ClientState = { objectIds };
  const meanMs = load.perSecond === undefined ? 0 : (load.connections * 1_000) / load.perSecond;
  // Users start at different times and have separate schedules.
  let due = performance.now() + Math.random() * meanMs;
  while (performance.now() < until) {
    if (due > performance.now()) await pause(due - performance.now());
    await once(memory);
    due = Math.max(due - Math.log(1 - Math.random()) * meanMs, performance.now() - 1_000);
  }
}

function timesOf(all: number[]): Times {
  all.sort((a, b) => a - b);
  const at = (share: number) => Number((all[Math.floor((all.length - 1) * share)] ?? 0).toFixed(2));
  return { count: all.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

function tell(): void {
  const kinds = [...new Set(answered.map(({ kind }) => kind))].sort();
  const of = (name: string) => answered.filter(({ kind }) => kind === name).map(({ ms }) => ms);
  const report: Interval = {
    requests: answered.length + shed.length + failed.length,
    failed: [
      ...failed.slice(0, MAX_REPORTED_ERRORS),
      ...failed.slice(MAX_REPORTED_ERRORS).map(() => '…'),
    ],
    shed: shed.length,
    times: timesOf(answered.map(({ ms }) => ms)),
    shedTimes: timesOf(shed),
    byKind: Object.fromEntries(kinds.map((name) => [name, timesOf(of(name))])),
  };
  [answered, shed, failed] = [[], [], []];
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

const sampleErrors = setInterval(tell, load.everySeconds * 1_000);
await Promise.all(Array.from({ length: load.connections }, user));
clearInterval(sampleErrors);
if (answered.length + shed.length + failed.length > 0) tell();
process.exit(0);

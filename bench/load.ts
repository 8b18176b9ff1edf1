import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

export interface Load {
  /** With several URLs the connections are divided equally. */
  readonly url: string | readonly string[];
  readonly bearer: string;
  readonly seconds: number;
  /** Default 8. */
  readonly connections?: number;
  /** A JSON file with a list of requests, one of which is drawn at a time. */
  readonly visits?: string;
  /** ETag of a cached response that has to match. */
  readonly etag?: string;
  /** Renames the object at the URL, each time to a new name, instead of reading. */
  readonly renames?: boolean;
}

export interface Visit {
  readonly bearer: string;
  readonly path: string;
}

/** The result, as printed. */
export interface Loaded {
  readonly requests: number;
  readonly failed: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly seconds: number;
  /** CPU time of this process during the burst. */
  readonly cpuSeconds: number;
}

/** One burst of load from a separate process, configured and reported as JSON. */
const load = JSON.parse(process.argv[2] ?? '{}') as Load;
const CONNECTIONS = 8;
const visits =
  load.visits === undefined ? [] : (JSON.parse(readFileSync(load.visits, 'utf8')) as Visit[]);
const before = process.cpuUsage();
/** Per response, since autocannon's histogram has whole milliseconds. */
const times: number[] = [];
let visitor = 0;
const result = await autocannon({
  // Its types allow only one address.
  url: load.url as string,
  connections: load.connections ?? CONNECTIONS,
  duration: load.seconds,
  sampleInt: 100,
  setupClient: (client) => {
    client.on('response', (_status, _bytes, ms) => times.push(ms));
  },
  requests: [
    {
      method: load.renames ? 'PATCH' : 'GET',
      setupRequest: (request) => {
        const n = visitor++;
        const visit = visits[Math.floor(Math.random() * visits.length)];
        return {
          ...request,
          ...(visit && { path: visit.path }),
          headers: {
            ...request.headers,
            // Each from another address, for a service behind a proxy.
            'x-forwarded-for': addressOf(n),
            ...(visit && { authorization: `Bearer ${visit.bearer}` }),
          },
          ...(load.renames && { body: JSON.stringify({ filename: `renamed ${n} times.pdf` }) }),
        };
      },
    },
  ],
  headers: {
    authorization: `Bearer ${load.bearer}`,
    ...(load.renames && { 'content-type': 'application/json' }),
    ...(load.etag !== undefined && { 'if-none-match': load.etag }),
  },
});
const { user, system } = process.cpuUsage(before);
const answered = load.etag === undefined ? result['2xx'] : result['3xx'];
times.sort((a, b) => a - b);
const loaded: Loaded = {
  requests: result.requests.total,
  failed: result.requests.total - answered + result.errors + result.timeouts,
  p50: slowest(0.5),
  p99: slowest(0.99),
  seconds: result.duration,
  cpuSeconds: (user + system) / 1e6,
};
process.stdout.write(JSON.stringify(loaded));

/** Latency percentile in milliseconds. */
function slowest(share: number): number {
  return Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2));
}

function addressOf(n: number): string {
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

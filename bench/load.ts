import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

export interface Load {
  /** Of several, each gets as many of the connections as any other. */
  readonly url: string | readonly string[];
  readonly bearer: string;
  readonly seconds: number;
  /** 8 by itself. */
  readonly connections?: number;
  /** A file of JSON, a list of visits one of which is drawn for every request. */
  readonly visits?: string;
  /** Of an answer that the client has, and which has to stand. */
  readonly etag?: string;
  /** Renames the object at the address, each time to another name, in place of reading. */
  readonly renames?: boolean;
}

export interface Visit {
  readonly bearer: string;
  readonly path: string;
}

/** What came of it, as it is printed. */
export interface Loaded {
  readonly requests: number;
  readonly failed: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly seconds: number;
  /** Of this process, while it was at it. */
  readonly cpuSeconds: number;
}

/** One burst from a process of its own, told as JSON. Prints what came of it as JSON. */
const load = JSON.parse(process.argv[2] ?? '{}') as Load;
const CONNECTIONS = 8;
const visits =
  load.visits === undefined ? [] : (JSON.parse(readFileSync(load.visits, 'utf8')) as Visit[]);
const before = process.cpuUsage();
/** Of each answer; what the histogram of autocannon keeps is whole milliseconds. */
const times: number[] = [];
let visitor = 0;
const result = await autocannon({
  // Its types know of one address only.
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
            // Each from another address, for a service that trusts what a proxy says of it.
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

/** Of such a share of the answers, in milliseconds. */
function slowest(share: number): number {
  return Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2));
}

function addressOf(n: number): string {
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

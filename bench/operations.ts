import type { Filled } from './data.ts';
import type { Burst, Server } from './processes.ts';
import { burst } from './processes.ts';

/** The requests sent to each server in turn, and the required share of the baseline's speed. */
export interface Operation {
  readonly name: string;
  readonly path: (filled: Filled, cursor: string) => string;
  /** The baseline: the bare response, or with minimal authentication. */
  readonly against: 'bare' | 'guarded';
  /** Of the baseline's speed, by CPU time. */
  readonly share: number;
  readonly renames?: true;
  /** With the ETag of the last response. */
  readonly standing?: true;
}

const list = (name: string, query: (filled: Filled) => string, share = 0.8): Operation => ({
  name: `list: ${name}`,
  path: (filled) => `/v1/objects?limit=20${query(filled)}`,
  against: 'bare',
  share,
});

/** Offset of a deep page. */
const DEEP = 5_000;

const FILTERS: Readonly<Record<string, (filled: Filled) => string>> = {
  kind: () => '&kind=image',
  doc_type: () => '&doc_type=letter',
  is_link: () => '&is_link=true',
  notes_only: () => '&notes_only=true',
  collection_id: ({ folderId }) => `&collection_id=${folderId}`,
  uncategorized: () => '&uncategorized=true',
  trashed: () => '&trashed=true',
};
/** Two conditions on one column exclude one another, or are equal. */
const COLUMN: Readonly<Record<string, string>> = {
  is_link: 'kind',
  notes_only: 'kind',
  uncategorized: 'collection_id',
};

const pairs = Object.keys(FILTERS).flatMap((one, i, all) =>
  all
    .slice(i + 1)
    .filter((other) => (COLUMN[one] ?? one) !== (COLUMN[other] ?? other))
    .map((other) => [one, other] as const),
);

const query = (name: string) => FILTERS[name] ?? (() => '');

export const NEWEST = list('newest 20', () => '');
export const FILTERED: readonly Operation[] = Object.keys(FILTERS).map((name) =>
  list(name, query(name)),
);
export const PAIRED: readonly Operation[] = [
  ...pairs.map(([one, other]) =>
    list(`${one} + ${other}`, (filled) => query(one)(filled) + query(other)(filled)),
  ),
  list('a pair that is rare', () => '&kind=archive&doc_type=medical'),
];
export const DEEP_PAGES: readonly Operation[] = [
  list(`offset ${DEEP}`, () => `&offset=${DEEP}`),
  {
    ...list('cursor, first page', () => ''),
    name: 'list: by cursor, anywhere',
    path: (_, cursor) => `/v1/objects?limit=20&cursor=${cursor}`,
  },
];
const one: Operation = {
  name: 'one object',
  path: ({ objectId }) => `/v1/objects/${objectId}`,
  against: 'guarded',
  share: 0.75,
};
const poll: Operation = {
  name: 'poll of notifications',
  path: () => '/v1/notifications',
  against: 'guarded',
  share: 0.6,
};
const rename: Operation = {
  ...{ ...one, name: 'rename, durable', against: 'bare' },
  ...{ share: 0.6, renames: true },
};
export const SINGLE: readonly Operation[] = [
  one,
  rename,
  poll,
  { ...poll, name: 'poll that is answered 304', share: 0.8, standing: true },
];

export interface Target {
  readonly server: Server;
  readonly filled: Filled;
  /** A cursor in the middle of the list. */
  readonly cursor: string;
}

export interface Measured {
  readonly server: string;
  /** Requests per second. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Of the server, per request. */
  readonly cpuMicros: number;
  readonly residentMB: number;
}

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

const WARMINGS = 4;

/**
 * Warm-up: code is compiled on use, and the service takes longer than a baseline. In the first second a request for
 * one object takes twice as much CPU time as after five.
 */
export async function warm(targets: readonly Target[], { seconds }: Rounds): Promise<void> {
  for (let n = 0; n < WARMINGS; n++)
    for (const operation of [NEWEST, one, rename, poll])
      for (const { server, filled, cursor } of targets) {
        const renames = operation.renames ?? false;
        await burst(server, operation.path(filled, cursor), filled.bearer, seconds, { renames });
      }
}

/**
 * Rounds of bursts on each server in turn; the first warms up and is not counted. Returns medians, and the minimum of
 * CPU time.
 */
export async function measure(
  operation: Operation,
  targets: readonly Target[],
  { rounds, seconds }: Rounds,
): Promise<readonly Measured[]> {
  const results = targets.map((): Burst[] => []);
  const requested: { path: string; etag?: string }[] = [];
  for (const { server, filled, cursor } of targets) {
    const path = operation.path(filled, cursor);
    const etag = operation.standing && (await tagOf(server, path, filled.bearer));
    requested.push({ path, ...(etag && { etag }) });
  }
  for (let round = -1; round < rounds; round++)
    for (const [i, { server, filled }] of targets.entries()) {
      const { path, ...more } = requested[i] ?? { path: '' };
      const renames = operation.renames ?? false;
      const length = round < 0 ? seconds / 2 : seconds;
      const result = await burst(server, path, filled.bearer, length, { ...more, renames });
      if (round >= 0) results[i]?.push(result);
    }
  return targets.map(({ server }, i) => {
    const all = results[i] ?? [];
    const middle = (of: (each: Burst) => number) => median(all.map(of));
    return {
      server: server.name,
      perSecond: Math.round(middle((each) => each.requests / each.seconds)),
      p50: middle(({ p50 }) => p50),
      p99: middle(({ p99 }) => p99),
      // Other load on the machine can only add to it.
      cpuMicros: Math.round(Math.min(...all.map(({ cpuMicros }) => cpuMicros))),
      residentMB: Math.round(server.residentMB()),
    };
  });
}

async function tagOf({ name, base }: Server, path: string, bearer: string): Promise<string> {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${bearer}` } });
  await response.arrayBuffer();
  const etag = response.headers.get('etag');
  if (!response.ok || etag === null) throw new Error(`${name} gives no tag for ${path}.`);
  return etag;
}

/** The baseline does the same work only if its response is the same. */
export async function requireEqual(operation: Operation, targets: readonly Target[]) {
  const replies = await Promise.all(
    targets.map(async ({ server, filled, cursor }) => {
      const headers = { authorization: `Bearer ${filled.bearer}` };
      const path = operation.path(filled, cursor);
      return (await fetch(server.base + path, { headers })).text();
    }),
  );
  const other = replies.find((reply) => reply !== replies[0]);
  if (other !== undefined)
    throw new Error(
      `${operation.name} is answered otherwise:\n${other.slice(0, 900)}\n${replies[0]?.slice(0, 900)}`,
    );
}

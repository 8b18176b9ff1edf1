import { randomBytes } from 'node:crypto';

/** One request of a load. */
export interface PlannedRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** State of a virtual user between requests. */
export interface ClientState {
  readonly objectIds: readonly string[];
  etag?: string;
}

export interface Kind {
  readonly name: string;
  /** Relative frequency. */
  readonly weight: number;
  ask(memory: ClientState): PlannedRequest;
}

const whole = (most: number): number => Math.floor(Math.random() * most);
const one = <T>(from: readonly T[]): T => from[whole(from.length)] as T;
const get = (path: string): PlannedRequest => ({ method: 'GET', path });
const json = (method: PlannedRequest['method'], path: string, body: object): PlannedRequest => ({
  ...{ method, path, body: JSON.stringify(body) },
  headers: { 'content-type': 'application/json' },
});

const FILTERS = ['kind=image', 'doc_type=letter', 'notes_only=true', 'uncategorized=true'];
const UPLOAD_BYTES = 2_000;

function upload(): PlannedRequest {
  const head =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="held.bin"\r\nContent-Type: application/octet-stream\r\n\r\n';
  const body = Buffer.concat([
    Buffer.from(head),
    randomBytes(UPLOAD_BYTES),
    Buffer.from('\r\n--b--\r\n'),
  ]);
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  return { method: 'POST', path: '/v1/uploads', headers, body };
}

export const KINDS = {
  newest: { name: 'newest 20', weight: 25, ask: () => get('/v1/objects?limit=20') },
  filtered: {
    name: 'filtered list',
    weight: 20,
    ask: () => get(`/v1/objects?limit=20&${one(FILTERS)}`),
  },
  one: {
    name: 'one object',
    weight: 25,
    ask: ({ objectIds }) => get(`/v1/objects/${one(objectIds)}`),
  },
  search: {
    name: 'search',
    weight: 10,
    // In one of two thousand names, like a typical search term.
    ask: () => get(`/v1/search?q=${whole(2_000)}`),
  },
  common: { name: 'search of a word in all', weight: 0, ask: () => get('/v1/search?q=bench') },
  poll: {
    name: 'poll',
    weight: 10,
    ask: ({ etag }) => ({
      ...get('/v1/notifications'),
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
    }),
  },
  rename: {
    name: 'rename',
    weight: 8,
    ask: ({ objectIds }) =>
      json('PATCH', `/v1/objects/${one(objectIds)}`, { filename: `Document ${whole(1e6)}.pdf` }),
  },
  note: {
    name: 'note',
    weight: 1,
    ask: () => json('POST', '/v1/objects/notes', { content: `Held in note ${whole(1e9)}.` }),
  },
  upload: { name: 'small upload', weight: 1, ask: upload },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

/** One of the kinds, drawn by weight; uniformly if all weights are zero. */
export function pickWeighted(names: readonly KindName[]): () => Kind {
  const kinds: readonly Kind[] = names.map((name) => KINDS[name]);
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  return () => {
    if (total === 0) return one(kinds);
    let left = Math.random() * total;
    return kinds.find(({ weight }) => (left -= weight) < 0) ?? one(kinds);
  };
}

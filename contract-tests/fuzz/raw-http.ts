import { BrokenReply, Connection, headerIn, type Reply } from './connection.ts';
import { checkEdge } from './oracles.ts';
import type { Random } from './random.ts';

/** The data of the service that a scenario needs. */
export interface Edge {
  readonly base: string;
  readonly token: string;
  readonly random: Random;
  /** Begins the ids of the requests of this scenario. */
  readonly label: string;
  /** Ids of the owner's objects. */
  readonly objectIds: readonly string[];
}

export interface ScenarioResult {
  readonly requests: number;
  readonly problems: readonly string[];
  /** The sent bytes, for the report. */
  readonly sent: Buffer;
}

export interface Scenario {
  readonly name: string;
  readonly run: (edge: Edge) => Promise<ScenarioResult>;
}

export const MAX_REPLY_MS = 40_000;

const HEAD = 'Host: 127.0.0.1\r\n';

const requestText = (
  { token, label }: Edge,
  at: number,
  method: string,
  path: string,
  body?: string,
): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    `X-Request-Id: ${label}-${at}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    `\r\n${body ?? ''}`,
  ].join('\r\n');

/** A request, the required response, and the required state of the connection afterwards. */
const PIPELINED: readonly (readonly [method: string, path: string, body: string | undefined])[] = [
  ['GET', '/v1/me', undefined],
  ['HEAD', '/v1/me', undefined],
  ['GET', '/v1/objects', undefined],
  ['GET', '/nowhere', undefined],
  ['GET', '/health', undefined],
  ['GET', '/v1/openapi.json', undefined],
  ['POST', '/v1/chats', '{}'],
  ['POST', '/v1/chats', '{"title":7}'],
  ['PATCH', '/v1/settings', '{}'],
  ['PUT', '/v1/settings', '{"ui":{"a":1}}'],
  ['GET', '/v1/search?q=lantern', undefined],
  ['POST', '/v1/search', '{"q":1}'],
];

/** Several requests in one write: as many responses, in order, and no further byte. */
const pipelining: Scenario = {
  name: 'pipelining',
  run: async (edge) => {
    const { random } = edge;
    const chosen = Array.from({ length: 2 + random.below(6) }, () => random.pick(PIPELINED));
    const sent = Buffer.from(
      chosen.map(([method, path, body], at) => requestText(edge, at, method, path, body)).join(''),
    );
    const connection = await Connection.open(edge.base);
    const problems: string[] = [];
    try {
      const cut = random.chance(0.5) ? sent.length : random.below(sent.length);
      connection.send(sent.subarray(0, cut));
      await tick();
      connection.send(sent.subarray(cut));
      for (const [at, [method]] of chosen.entries()) {
        const reply = await connection.read(method, MAX_REPLY_MS);
        if (typeof reply === 'string') {
          problems.push(`request ${at + 1} of ${chosen.length} on a connection: ${reply}`);
          break;
        }
        if (headerIn(reply, 'x-request-id') !== `${edge.label}-${at}`)
          problems.push(`answer ${at + 1} belongs to ${headerIn(reply, 'x-request-id')}`);
        problems.push(...checkEdge(reply, method));
        if (headerIn(reply, 'connection') === 'close') break;
      }
      await tick();
      if (connection.rest().length > 0) problems.push('bytes after the last answer');
    } finally {
      connection.close();
    }
    return { requests: chosen.length, problems, sent };
  },
};

/** Bytes that parsers interpret in two ways. Each may get one response, or as many as the number says. */
const AMBIGUOUS: readonly (readonly [name: string, text: string, replies?: number])[] = [
  [
    'two equal lengths',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'two lengths',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}GET /smuggled HTTP/1.1\r\n${HEAD}\r\n`,
  ],
  ['a list of lengths', `POST /v1/chats HTTP/1.1\r\n${HEAD}Content-Length: 2, 2\r\n\r\n{}`],
  ['a length with a sign', `POST /v1/chats HTTP/1.1\r\n${HEAD}Content-Length: +2\r\n\r\n{}`],
  ['a negative length', `POST /v1/chats HTTP/1.1\r\n${HEAD}Content-Length: -1\r\n\r\n{}`],
  ['a hexadecimal length', `POST /v1/chats HTTP/1.1\r\n${HEAD}Content-Length: 0x2\r\n\r\n{}`],
  [
    'a huge length',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Content-Length: 99999999999999999999999\r\n\r\n{}`,
  ],
  [
    'length and chunks',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n${HEAD}\r\n`,
  ],
  [
    'chunks and length',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  ],
  [
    'chunked twice',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'not chunked at last',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  ],
  [
    'an unknown transfer coding',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: constructor\r\n\r\n0\r\n\r\n`,
  ],
  [
    'a hidden transfer coding',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'a transfer coding after a tab',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding:\tchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'a chunk size that is none',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'a chunk size beyond all',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'a chunk without its end',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n`,
  ],
  [
    'long chunk extensions',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'trailers',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n__proto__: x\r\n\r\n`,
  ],
  [
    'many trailers',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n${'X: y\r\n'.repeat(20_000)}\r\n`,
  ],
  ['an absolute target', `GET http://elsewhere.example/v1/me HTTP/1.1\r\n${HEAD}\r\n`],
  ['an absolute target of another scheme', `GET javascript:alert(1) HTTP/1.1\r\n${HEAD}\r\n`],
  ['an absolute target of a probe', `GET http://127.0.0.1/health HTTP/1.1\r\n${HEAD}\r\n`],
  ['a target that is an authority', `GET elsewhere.example:443 HTTP/1.1\r\n${HEAD}\r\n`],
  ['a tunnel', `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HEAD}\r\n`],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${HEAD}\r\n`],
  ['an asterisk for GET', `GET * HTTP/1.1\r\n${HEAD}\r\n`],
  ['two slashes', `GET //elsewhere.example/v1/me HTTP/1.1\r\n${HEAD}\r\n`],
  ['an empty target', `GET  HTTP/1.1\r\n${HEAD}\r\n`],
  ['a target with a blank', `GET /v1/me x HTTP/1.1\r\n${HEAD}\r\n`],
  ['a target with a control character', `GET /v1/\u0001me HTTP/1.1\r\n${HEAD}\r\n`],
  ['a target with eight bits', `GET /v1/m\u00e9 HTTP/1.1\r\n${HEAD}\r\n`],
  ['a fragment', `GET /v1/me#x HTTP/1.1\r\n${HEAD}\r\n`],
  ['no host', 'GET /v1/me HTTP/1.1\r\n\r\n'],
  ['two hosts', `GET /v1/me HTTP/1.1\r\n${HEAD}Host: elsewhere.example\r\n\r\n`],
  ['an empty host', 'GET /v1/me HTTP/1.1\r\nHost:\r\n\r\n'],
  ['an odd host', 'GET /v1/me HTTP/1.1\r\nHost: a b/<script>\r\n\r\n'],
  ['HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n'],
  [
    'HTTP/1.0 kept alive',
    'GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /health HTTP/1.0\r\n\r\n',
    2,
  ],
  [
    'HTTP/1.0 in chunks',
    `POST /v1/chats HTTP/1.0\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
  ['HTTP/0.9', 'GET /health\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/9.9', `GET /health HTTP/9.9\r\n${HEAD}\r\n`],
  ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
  ['a lower-case method', `get /health HTTP/1.1\r\n${HEAD}\r\n`],
  ['an unknown method', `CONSTRUCTOR /health HTTP/1.1\r\n${HEAD}\r\n`],
  ['a long method', `${'X'.repeat(20_000)} /health HTTP/1.1\r\n${HEAD}\r\n`],
  ['a header without a colon', `GET /health HTTP/1.1\r\n${HEAD}broken header\r\n\r\n`],
  ['a header without a name', `GET /health HTTP/1.1\r\n${HEAD}: x\r\n\r\n`],
  ['a folded header', `GET /health HTTP/1.1\r\n${HEAD}X-Folded: a\r\n b\r\n\r\n`],
  ['a blank before a header', `GET /health HTTP/1.1\r\n ${HEAD}\r\n`],
  ['a blank in a name', `GET /health HTTP/1.1\r\n${HEAD}X y: z\r\n\r\n`],
  ['NUL in a header', `GET /health HTTP/1.1\r\n${HEAD}X: a\0b\r\n\r\n`],
  ['a control character in a header', `GET /health HTTP/1.1\r\n${HEAD}X: a\u0001\u001bb\r\n\r\n`],
  ['a lone carriage return', `GET /health HTTP/1.1\r\n${HEAD}X: a\rInjected: b\r\n\r\n`],
  ['lines that end with LF', 'GET /health HTTP/1.1\nHost: 127.0.0.1\n\n'],
  ['empty lines before', `\r\n\r\n\r\nGET /health HTTP/1.1\r\n${HEAD}\r\n`],
  ['many empty lines', '\r\n'.repeat(30_000)],
  ['a long target', `GET /v1/search?q=${'x'.repeat(100_000)} HTTP/1.1\r\n${HEAD}\r\n`],
  ['a long header', `GET /health HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['a long header name', `GET /health HTTP/1.1\r\n${HEAD}${'X'.repeat(100_000)}: x\r\n\r\n`],
  [
    'an unknown expectation',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Expect: constructor\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'an expectation',
    `POST /v1/chats HTTP/1.1\r\n${HEAD}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'an upgrade to a socket',
    `GET /health HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  ],
  [
    'an upgrade to HTTP/2',
    `GET /health HTTP/1.1\r\n${HEAD}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n`,
  ],
  [
    'a connection with odd words',
    `GET /health HTTP/1.1\r\n${HEAD}Connection: close, keep-alive, constructor, Host\r\n\r\n`,
  ],
  [
    'a body that GET announces',
    `GET /v1/me HTTP/1.1\r\n${HEAD}Content-Length: 40\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    2,
  ],
  ['nothing', ''],
  ['a NUL', '\0'],
  ['a request that stops', 'GET /v1/me HTT'],
];

const ambiguous: readonly Scenario[] = AMBIGUOUS.map(([name, text, maxReplies = 1]) => ({
  name,
  run: async ({ base, token, random }) => {
    // Without a token the body of most requests is never read.
    const head = random.chance(0.5) ? HEAD : `${HEAD}Authorization: Bearer ${token}\r\n`;
    const sent = Buffer.from(text.replaceAll(HEAD, head), 'latin1');
    const connection = await Connection.open(base);
    const problems: string[] = [];
    let replies = 0;
    try {
      connection.send(sent);
      connection.finish();
      for (;;) {
        const method = /^(HEAD) /.exec(text)?.[1] ?? 'GET';
        const reply = await connection.read(method, MAX_REPLY_MS);
        if (reply === 'silent') problems.push('neither an answer nor an end of the connection');
        if (typeof reply === 'string') break;
        replies++;
        problems.push(...checkEdge(reply, method));
      }
      if (replies > maxReplies) problems.push(`${replies} answers to ${maxReplies} requests`);
    } finally {
      connection.close();
    }
    return { requests: 1, problems, sent };
  },
}));

/** Disconnects at some byte of the request. */
const cutWhileSending: Scenario = {
  name: 'cut while sending',
  run: async (edge) => {
    const { random } = edge;
    const boundary = 'cut-boundary';
    const file = 'x'.repeat(random.pick([10, 5_000, 300_000]));
    const form = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${file}\r\n--${boundary}--\r\n`;
    const chunked = random.chance(0.5);
    const sent = Buffer.from(
      random.chance(0.4)
        ? requestText(edge, 0, 'POST', '/v1/objects/notes', `{"content":"${file}"}`)
        : [
            'POST /v1/uploads HTTP/1.1',
            'Host: 127.0.0.1',
            `Authorization: Bearer ${edge.token}`,
            `X-Request-Id: ${edge.label}-0`,
            `Content-Type: multipart/form-data; boundary=${boundary}`,
            chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${form.length}`,
            chunked
              ? `\r\n${form.length.toString(16)};x=1\r\n${form}\r\n0\r\nX-Trailer: x\r\n\r\n`
              : `\r\n${form}`,
          ].join('\r\n'),
    );
    const end = random.below(sent.length);
    const connection = await Connection.open(edge.base);
    connection.send(sent.subarray(0, end));
    await tick();
    if (random.chance(0.5)) connection.cut();
    else connection.close();
    return { requests: 1, problems: [], sent: sent.subarray(0, end) };
  },
};

/** Stops sending in the middle and waits. The connection must end, with or without a response. */
const halfClosed: Scenario = {
  name: 'half closed in the middle',
  run: async (edge) => {
    const sent = Buffer.from(requestText(edge, 0, 'POST', '/v1/objects/notes', '{"content":"x"}'));
    const connection = await Connection.open(edge.base);
    const problems: string[] = [];
    try {
      connection.send(sent.subarray(0, edge.random.below(sent.length)));
      connection.finish();
      const reply = await connection.read('POST', MAX_REPLY_MS);
      if (reply === 'silent') problems.push('neither an answer nor an end of the connection');
      else if (typeof reply !== 'string') problems.push(...checkEdge(reply, 'POST'));
    } finally {
      connection.close();
    }
    return { requests: 1, problems, sent };
  },
};

type Reading = readonly [method: string, path: string, body: string | undefined];

const contentOf = (id: string): readonly Reading[] =>
  ['content', 'content?version=1', 'thumbnail', 'text'].map((what): Reading => [
    'GET',
    `/v1/objects/${id}/${what}`,
    undefined,
  ]);

const READ_IN_PART: readonly Reading[] = [
  ['GET', '/v1/openapi.json', undefined],
  ['GET', '/v1/export', undefined],
  ['POST', '/v1/objects/notes', '{"content":"read in part"}'],
  ['GET', '/v1/search?q=x', undefined],
];

/** Disconnects as soon as the response has begun, or before. */
const cutWhileReading: Scenario = {
  name: 'cut while reading',
  run: async (edge) => {
    const [method, path, body] = edge.random.pick([
      ...READ_IN_PART,
      ...edge.objectIds.slice(0, 3).flatMap(contentOf),
    ]);
    const sent = Buffer.from(requestText(edge, 0, method, path, body));
    const connection = await Connection.open(edge.base);
    connection.send(sent);
    if (edge.random.chance(0.7)) await connection.begun(MAX_REPLY_MS);
    else await tick();
    connection.cut();
    return { requests: 1, problems: [], sent };
  },
};

/** Disconnects in the middle of an event stream. */
const cutWhileStreaming: Scenario = {
  name: 'cut while streaming',
  run: async (edge) => {
    const text = requestText(edge, 0, 'POST', '/v1/ask', '{"question":"When are lanterns lit?"}');
    const sent = Buffer.from(text.replace('\r\n', '\r\nAccept: text/event-stream\r\n'));
    const connection = await Connection.open(edge.base);
    connection.send(sent);
    if (edge.random.chance(0.7)) await connection.begun(MAX_REPLY_MS);
    connection.cut();
    return { requests: 1, problems: [], sent };
  },
};

/** A request in small pieces gets the same response as any other. */
const inPieces: Scenario = {
  name: 'in pieces',
  run: async (edge) => {
    const sent = Buffer.from(requestText(edge, 0, 'PUT', '/v1/settings', '{"ui":{"a":[1,2]}}'));
    const connection = await Connection.open(edge.base);
    const problems: string[] = [];
    try {
      const size = 1 + edge.random.below(60);
      for (let at = 0; at < sent.length; at += size) {
        connection.send(sent.subarray(at, at + size));
        await tick();
      }
      const reply = await connection.read('PUT', MAX_REPLY_MS);
      if (typeof reply === 'string') problems.push(`a request in pieces: ${reply}`);
      else if (reply.status !== 200) problems.push(`a request in pieces: ${reply.status}`);
    } finally {
      connection.close();
    }
    return { requests: 1, problems, sent };
  },
};

const CONNECTIONS = 20;

/** Connections that never send a request. */
const idleConnections: Scenario = {
  name: 'connections without a request',
  run: async ({ base, random }) => {
    const opened = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => Connection.open(base)),
    );
    for (const connection of opened)
      if (random.chance(0.5)) connection.cut();
      else connection.close();
    return { requests: 1, problems: [], sent: Buffer.alloc(0) };
  },
};

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const SCENARIOS: readonly (readonly [number, () => readonly Scenario[]])[] = [
  [6, () => [pipelining]],
  [16, () => ambiguous],
  [4, () => [cutWhileSending]],
  [3, () => [halfClosed]],
  [3, () => [cutWhileReading]],
  [2, () => [cutWhileStreaming]],
  [2, () => [inPieces]],
  [1, () => [idleConnections]],
];

export const pickScenario = (random: Random): Scenario => random.pick(random.weighted(SCENARIOS)());

/** Runs the scenario. A response that is not valid HTTP is a problem as well. */
export async function runScenario(scenario: Scenario, edge: Edge): Promise<ScenarioResult> {
  try {
    return await scenario.run(edge);
  } catch (error) {
    if (!(error instanceof BrokenReply)) throw error;
    return { requests: 1, problems: [error.message], sent: Buffer.alloc(0) };
  }
}

/** A valid request on a new connection, to check the service after a scenario. */
export async function requestMarker(edge: Edge, ownerId: string): Promise<readonly string[]> {
  const connection = await Connection.open(edge.base);
  try {
    connection.send(requestText(edge, 99, 'GET', '/v1/me', undefined));
    const reply: Reply | 'closed' | 'silent' = await connection.read('GET', MAX_REPLY_MS);
    if (typeof reply === 'string') return [`a good request afterwards: ${reply}`];
    const mine = reply.status === 200 && reply.body.includes(ownerId);
    return mine ? [] : [`a good request afterwards: ${reply.status}`];
  } finally {
    connection.close();
  }
}

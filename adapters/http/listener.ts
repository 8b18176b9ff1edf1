import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** How long running requests may take to end once we stop. */
  readonly graceMs: number;
}

export interface Listener {
  /** `http://host:port` with the port really taken. */
  readonly address: string;
  /** Takes no new connection, lets what runs end within the grace time, then closes what is left. */
  stop(): Promise<void>;
}

/** Slow senders end here: their connection is given up, everybody else's goes on. */
const LIMITS = {
  connectionsCheckingInterval: 2_000,
  headersTimeout: 15_000,
  // A file of the largest size has to fit through; what stands still ends by the socket's own time-out.
  requestTimeout: 3_600_000,
  keepAliveTimeout: 10_000,
};
/** A long question in a query has room; beyond that it is 431. */
const MOST_HEADER_BYTES = 65_536;
const IDLE_SOCKET_MS = 120_000;
const MOST_CONNECTIONS = 10_000;

export async function listen(app: RequestListener, options: ListenOptions): Promise<Listener> {
  const server = createServer({ ...LIMITS, maxHeaderSize: MOST_HEADER_BYTES }, app);
  server.on('clientError', refuse);
  server.setTimeout(IDLE_SOCKET_MS);
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { address: `http://${host}:${port}`, stop: () => stop(server, options.graceMs) };
}

const UNREADABLE: Readonly<
  Record<string, readonly [status: number, code: string, detail: string]>
> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'too_large',
    'The headers or the address of the request are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
};
const MALFORMED = [400, 'bad_request', 'This is not an HTTP request.'] as const;

/** What is no request never reaches a route; it is told off in the same words as everything else. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, code, detail] = UNREADABLE[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ detail, code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection kept alive past its last answer counts as idle only then.
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}

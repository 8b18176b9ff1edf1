import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleClientErrors } from './malformed-request.ts';
import { trackConnections, type ConnectionTracker } from './connections.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** How long running requests may take to end during a shutdown. */
  readonly graceMs: number;
  /** Called for each connection that is accepted, or dropped above the limit. */
  readonly onConnection: () => void;
  /** Reports that a connection could not be accepted, for example without free file descriptors. The server continues. */
  readonly onError: (error: Error) => void;
}

export interface Listener {
  /** `http://host:port` with the actual port. */
  readonly address: string;
  /** The responses that have not been sent completely. */
  inFlight(): readonly ServerResponse[];
  /**
   * Graceful shutdown: accepts no new connection, waits for running requests for the grace period, then closes all
   * connections. `graceMs` may be shorter than that of the options.
   */
  stop(graceMs?: number): Promise<void>;
}

/** Bounds for slow clients: their connections are closed. */
const LIMITS = {
  connectionsCheckingInterval: 2_000,
  headersTimeout: 15_000,
  // Long enough for a file of the largest size; idle sockets have a timeout of their own.
  requestTimeout: 3_600_000,
  // Longer than that of proxies (nginx 60 s, Traefik 90, Caddy 120): a request sent while the server closes would be lost.
  keepAliveTimeout: 130_000,
};
/** Room for a long question in a query; 431 above it. */
const MAX_HEADER_BYTES = 65_536;
const IDLE_SOCKET_MS = 120_000;
const MAX_CONNECTIONS = 10_000;
/** Connections that wait to be accepted. Above it a client would retry only after one second, and then after three. */
const BACKLOG = 4_096;

export async function listen(app: RequestListener, options: ListenOptions): Promise<Listener> {
  const server = createServer(
    // The app answers requests without a host or with an unknown expectation: Node would answer without a body.
    { ...LIMITS, maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    app,
  );
  server.on('checkExpectation', app);
  server.on('connection', options.onConnection).on('drop', options.onConnection);
  const exchanges = trackConnections(server);
  handleClientErrors(server, exchanges);
  server.setTimeout(IDLE_SOCKET_MS);
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const { port, host } = options;
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.on('error', options.onError).off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    address: `http://${host}:${port}`,
    inFlight: () => exchanges.inFlight(),
    stop: (graceMs = options.graceMs) => stop(server, exchanges, graceMs),
  };
}

async function stop(server: Server, exchanges: ConnectionTracker, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  exchanges.closeIdle();
  // A connection that is kept alive counts as idle only after its last response.
  const idle = setInterval(() => exchanges.closeIdle(), 100);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}

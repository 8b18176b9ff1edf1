import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerBrokenRequests } from './broken-request.ts';
import { watchExchanges, type Exchanges } from './exchanges.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** How long running requests may take to end once we stop. */
  readonly graceMs: number;
  /** Hears of each connection as it is taken, or refused for there are too many. */
  readonly onConnection: () => void;
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
  // Longer than proxies keep theirs (nginx 60 s, Traefik 90, Caddy 120): what they send while we hang up would be lost.
  keepAliveTimeout: 130_000,
};
/** A long question in a query has room; beyond that it is 431. */
const MOST_HEADER_BYTES = 65_536;
const IDLE_SOCKET_MS = 120_000;
const MOST_CONNECTIONS = 10_000;
/** Connections that wait to be taken. Of those beyond it each would try again only a second later, and then three. */
const BACKLOG = 4_096;

export async function listen(app: RequestListener, options: ListenOptions): Promise<Listener> {
  const server = createServer({ ...LIMITS, maxHeaderSize: MOST_HEADER_BYTES }, app);
  server.on('connection', options.onConnection).on('drop', options.onConnection);
  const exchanges = watchExchanges(server);
  answerBrokenRequests(server, exchanges);
  server.setTimeout(IDLE_SOCKET_MS);
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const { port, host } = options;
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    address: `http://${host}:${port}`,
    stop: () => stop(server, exchanges, options.graceMs),
  };
}

async function stop(server: Server, exchanges: Exchanges, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  exchanges.closeIdle();
  // A connection kept alive past its last answer counts as idle only then.
  const idle = setInterval(() => exchanges.closeIdle(), 100);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}

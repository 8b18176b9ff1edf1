import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { registerServer } from './leftovers.ts';

/** A web server in this process that counts its connections. */
export interface Site {
  readonly host: string;
  readonly port: number;
  readonly origin: string;
  visits(): number;
  close(): Promise<void>;
}

/** Listens on a loopback address; `port` 0 selects a free one. */
export async function startLocalServer(
  answer: RequestListener,
  host = '127.0.0.1',
  port = 0,
): Promise<Site> {
  const sockets = new Set<Socket>();
  let visits = 0;
  const server: Server = createServer(answer);
  server.on('connection', (socket) => {
    visits++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  registerServer('a local server', server);
  const own = (server.address() as AddressInfo).port;
  return {
    host,
    port: own,
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${own}`,
    visits: () => visits,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

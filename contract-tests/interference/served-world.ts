import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '../../adapters/http/server/create-server.ts';
import { routes, staticFiles } from '../../adapters/http/routes/index.ts';
import { eventLoop } from '../../adapters/node/tick-scheduler.ts';
import type { CoreFixture } from '../core/core-fixture.ts';
import { registerServer } from '../leftovers.ts';
import { httpClient, type HttpClient } from './http-client.ts';

export interface ServedWorld extends HttpClient {
  /** Errors that became a 500. */
  readonly errors: unknown[];
}

/** The whole HTTP edge over a world, in this process: its clock and its ids are those of the world. */
export async function serveWorld(world: CoreFixture): Promise<ServedWorld> {
  const errors: unknown[] = [];
  const app = createServer({
    core: world.core,
    routes,
    staticFiles,
    publicUrl: '',
    trustProxy: 0,
    corsOrigins: [],
    admission: { maxInFlight: 64, maxQueueWaitMs: 60_000 },
    runAtTickEnd: eventLoop.runAtTickEnd,
    checkReplies: true,
    onAccess: () => undefined,
    onError: (_requestId, error) => void errors.push(error),
    stopping: () => false,
  });
  const server = registerServer('a served world', createHttpServer(app));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = httpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    errors,
    send: (request) => client.send(request),
    close: () => {
      client.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

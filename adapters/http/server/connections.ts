import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The connections of a server, each with its current response. */
export interface ConnectionTracker {
  /** The response that has not been sent completely on a connection. */
  underWay(connection: Duplex): ServerResponse | undefined;
  /** The responses that have not been sent completely. */
  inFlight(): readonly ServerResponse[];
  /** Closes every connection without a current response, also in the middle of request headers. */
  closeIdle(): void;
}

function ignoreBroken(): void {}

export function trackConnections(server: Server): ConnectionTracker {
  const connections = new Set<Duplex>();
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('connection', (connection: Duplex) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  const begin = ({ socket }: IncomingMessage, response: ServerResponse) => {
    answers.set(socket, response);
    // An error of writing to a closed or broken connection. The `close` event handles it.
    response.on('error', ignoreBroken);
  };
  server.on('request', begin).on('checkExpectation', begin);
  const underWay: ConnectionTracker['underWay'] = (connection) => {
    const latest = answers.get(connection);
    return latest && !latest.writableFinished ? latest : undefined;
  };
  return {
    underWay,
    inFlight: () => [...connections].flatMap((connection) => underWay(connection) ?? []),
    closeIdle: () => {
      for (const connection of connections) if (!underWay(connection)) connection.destroy();
    },
  };
}

import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a proxy has passed on, with its answer. */
export interface Forwarded {
  readonly method: string;
  readonly path: string;
  readonly hasCookie: boolean;
  readonly status: number;
}

/** A local HTTP/1.1 server, and what it has served. */
export interface LocalSite {
  readonly port: number;
  readonly forwarded: Forwarded[];
  close(): Promise<void>;
}

async function listenWith(
  forwarded: Forwarded[],
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalSite> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    forwarded,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Pages by path; a page may redirect. */
export const servePages = (
  page: (path: string) => {
    readonly status?: number;
    readonly location?: string;
    readonly html?: string;
  },
): Promise<LocalSite> =>
  listenWith([], (incoming, response) => {
    incoming.resume();
    const { status = 200, location, html = '' } = page(incoming.url ?? '');
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      ...(location !== undefined && { Location: location }),
    });
    response.end(html);
  });

/**
 * A reverse proxy in front of a service, as common ones are set up: HTTP/1.1 in both directions, `Host` replaced, the
 * original one in `X-Forwarded-*`. It serves an empty page at `/app` itself.
 */
export function openReverseProxy(
  base: string,
  scheme: 'http' | 'https' = 'http',
): Promise<LocalSite> {
  const forwarded: Forwarded[] = [];
  return listenWith(forwarded, (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    if (path === '/app') {
      incoming.resume();
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end('<!doctype html><title>The app</title>');
      return;
    }
    const outgoing = request(base + path, {
      method,
      headers: {
        ...headers,
        host: new URL(base).host,
        'x-forwarded-for': incoming.socket.remoteAddress ?? '',
        'x-forwarded-host': headers.host ?? '',
        'x-forwarded-proto': scheme,
      },
    });
    outgoing.once('response', (answer) => {
      const hasCookie = /(^|; )(__Host-)?session=/.test(headers.cookie ?? '');
      forwarded.push({ method, path, hasCookie, status: answer.statusCode ?? 0 });
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
}

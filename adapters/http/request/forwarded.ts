import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';

/**
 * Client address and origin from `X-Forwarded-*`. Only the entries that the trusted number of proxies has written
 * count: a client can send the same headers.
 */

/** The address of the client: that of the connection, or the one that the outermost trusted proxy has seen. */
export const clientAddress = (request: IncomingMessage, trustProxy: number): string =>
  (trustProxy === 0
    ? request.socket.remoteAddress
    : withoutPort(proxyaddr(request, (_address, hop) => hop < trustProxy))) ?? '';

const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/;

/** Some proxies add the port of the client. Limits count addresses, and a client has thousands of ports. */
function withoutPort(entry: string | undefined): string | undefined {
  const [, v6, v4] = WITH_PORT.exec(entry ?? '') ?? [];
  return v6 ?? v4 ?? entry;
}

/** Whether the client uses https. The service itself speaks plain HTTP. */
export function isSecure({ headers }: IncomingMessage, trustProxy: number): boolean {
  const forwarded = trustProxy > 0 ? headers['x-forwarded-proto'] : undefined;
  return (
    String(forwarded ?? '')
      .split(',', 1)[0]
      ?.trim() === 'https'
  );
}

/** `host:port` as the client addressed it. */
export function requestedHost(
  { headers }: IncomingMessage,
  trustProxy: number,
): string | undefined {
  const forwarded = trustProxy > 0 ? headers['x-forwarded-host'] : undefined;
  if (typeof forwarded !== 'string' || forwarded === '') return headers.host;
  const comma = forwarded.indexOf(',');
  return comma === -1 ? forwarded : forwarded.slice(0, comma).trimEnd();
}

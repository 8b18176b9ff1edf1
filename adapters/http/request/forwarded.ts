import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';
import { canonicalAddress } from './canonical-address.ts';

/**
 * Client address and origin from `X-Forwarded-*`. Only the entries that the trusted number of proxies has written
 * count: a client can send the same headers.
 */

/**
 * The address of the client in canonical form: that of the connection, or the one that the outermost trusted proxy has
 * seen. '' for a text that is no address, so that all such clients share one limit.
 */
export const clientAddress = (request: IncomingMessage, trustProxy: number): string =>
  canonicalAddress(
    (trustProxy === 0
      ? request.socket.remoteAddress
      : proxyaddr(request, (_address, hop) => hop < trustProxy)) ?? '',
  );

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

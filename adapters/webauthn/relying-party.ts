import { isIP } from 'node:net';

/** The relying party of WebAuthn: the host that passkeys belong to, and the origin of its pages. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * The relying party at a public address; undefined if browsers have no passkeys there. They need a host name and `https`;
 * only on localhost `http` is sufficient (Secure Contexts §3.1).
 */
export function relyingPartyAt(address: string): RelyingParty | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const { protocol, hostname, origin } = url;
  if (protocol !== 'https:' && !(protocol === 'http:' && hostname === 'localhost'))
    return undefined;
  // An IPv6 address is in brackets.
  if (hostname === '' || hostname.startsWith('[') || isIP(hostname) !== 0) return undefined;
  return { id: hostname, origin };
}

/** The same service under the name that browsers accept instead of a loopback address. */
export function onLocalhost(address: string): string {
  const url = URL.parse(address);
  if (!url || !LOOPBACK.test(url.hostname)) return address;
  url.hostname = 'localhost';
  return url.origin;
}

/** Loopback addresses, and the unspecified ones: a service that listens on these is reachable at localhost too. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;

import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressOf, isMetadata, isPublic, type Address } from './ip-address.ts';
import { isBlockedPort } from './blocked-ports.ts';

/** A private destination that the operator allows; without a port, every port of it. */
export type Destination =
  | {
      readonly name: string;
      readonly port: number | null;
      /**
       * Allowed with any address it resolves to, because the operator has configured the service to connect there.
       */
      readonly exact: boolean;
    }
  | {
      readonly range: readonly [Address, number];
      readonly port: number | null;
      /** Written as one address, not as a CIDR range. */
      readonly exact: boolean;
    };

/** The target of a connection: the requested host, and one of its addresses. */
export interface Endpoint {
  /** A host name or an address literal without brackets. */
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

/** The connection was rejected: its address is neither public nor allowed. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/** Names of metadata services, rejected with any address. */
const METADATA_NAMES = new Set([
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.tencentyun.com',
]);

/**
 * Whether a connection is allowed: to public addresses, and to those allowed by name or by address. A platform's
 * metadata service is allowed only by its exact address: a name can resolve to anything, and a range is meant for the
 * machines in it.
 */
export function isAllowed(allowed: readonly Destination[], endpoint: Endpoint): boolean {
  const address = addressOf(endpoint.address);
  if (address === undefined) return false;
  const matching = allowed.filter((each) => matches(each, endpoint, address));
  const isGuarded = isMetadata(address) || METADATA_NAMES.has(plainName(endpoint.host));
  const fits = isGuarded ? matching.filter(isExact) : matching;
  // A port with a dangerous protocol has to be named explicitly.
  if (isBlockedPort(endpoint.port)) return fits.some(({ port }) => port !== null);
  return fits.length > 0 || (isPublic(address) && !isGuarded);
}

function matches(allowed: Destination, { host, port }: Endpoint, address: Address): boolean {
  if (allowed.port !== null && allowed.port !== port) return false;
  if ('name' in allowed) return allowed.name === plainName(host);
  const [base, bits] = allowed.range;
  return address.kind() === base.kind() && address.match(base, bits);
}

const isExact = ({ exact }: Destination): boolean => exact;

/** A name without a trailing dot: both spellings are the same host. */
const plainName = (host: string): string => host.toLowerCase().replace(/\.$/, '');

const NAME = /^[a-z\d._-]+$/;

/**
 * Private networks of a household or an office: this machine, private ranges (RFC 1918, RFC 4193) and shared ones
 * (RFC 6598). Link-local addresses are excluded, since clouds serve their credentials there.
 */
export const privateNetworks = (): readonly Destination[] =>
  [
    '127.0.0.0/8',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '100.64.0.0/10',
    '::1/128',
    'fc00::/7',
  ].flatMap((range) => rangeOf(range) ?? []);

/**
 * Parses `host`, `host:port`, an address, `address:port`, `[address]:port` or a CIDR range; undefined if it is none.
 */
export function parseDestination(text: string): Destination | undefined {
  if (/^[\da-f.:]+\/\d{1,3}$/i.test(text)) return rangeOf(text);
  if (isIPv6(text)) return single(text, null);
  const [, host = '', digits] =
    /^(\[[\da-f.:]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const url = host === '' ? null : URL.parse(`http://${host}/`);
  const port = digits === undefined ? null : Number(digits);
  if (!url || (port !== null && (port < 1 || port > 65_535))) return undefined;
  const plain = plainName(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  return (
    single(plain, port) ?? (NAME.test(plain) ? { name: plain, port, exact: false } : undefined)
  );
}

/** The single destination of an http or https URL; undefined for an invalid URL. */
export function destinationOfUrl(address: string): readonly Destination[] {
  if (address === '') return [];
  const { hostname, port, protocol } = new URL(address);
  const place = parseDestination(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
  return place ? [{ ...place, exact: true }] : [];
}

function rangeOf(text: string): Destination | undefined {
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [base, bits] = ipaddr.parseCIDR(text);
  return { range: [base, bits], port: null, exact: false };
}

function single(text: string, port: number | null): Destination | undefined {
  const address = addressOf(text);
  return address && { range: [address, address.kind() === 'ipv4' ? 32 : 128], port, exact: true };
}

import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { BlockedAddressError, isAllowed, type Destination } from './destination-policy.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface OutboundPolicy {
  /** Private destinations that are allowed. */
  readonly allowed: readonly Destination[];
  /** Resolves a host name to all its addresses. The system's resolver by default. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
}

/**
 * Creates the connections of an undici dispatcher, and rejects those that the policy forbids. A name is resolved once
 * and connected to at the checked addresses, so that a second lookup cannot change the result (DNS rebinding).
 * Address literals are checked as well, since they are never resolved. Every redirect connects again and is checked
 * again.
 */
export function createSsrfSafeConnector(
  { allowed, resolve = resolveBySystem }: OutboundPolicy,
  timeoutMs: number,
): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname;
    const port = portOf(options);
    const open = (address: string) => isAllowed(allowed, { host, port, address });
    if (isIP(host) !== 0 && !open(host)) return callback(new BlockedAddressError(host), null);
    const lookup: LookupFunction = (name, { all }, done) => {
      const passed = (found: readonly ResolvedAddress[]) => {
        const passing = found.filter(({ address }) => open(address));
        const [first] = passing;
        if (!first) return done(new BlockedAddressError(name), '');
        return all ? done(null, [...passing]) : done(null, first.address, first.family);
      };
      const found = isLocal(name) ? Promise.resolve(LOOPBACK) : resolve(name);
      found.then(passed, (error: NodeJS.ErrnoException) => done(error, ''));
    };
    buildConnector({ lookup, timeout: timeoutMs, allowH2: false })(options, callback);
  };
}

const portOf = ({ port, protocol }: buildConnector.Options): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** These names mean this machine, regardless of a resolver's answer (RFC 6761 §6.3). */
const isLocal = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const resolveBySystem = (host: string): Promise<readonly ResolvedAddress[]> =>
  lookUp(host, { all: true });

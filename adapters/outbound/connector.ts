import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { AddressRefused, admits, type Destination } from './destinations.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface OutboundRules {
  /** What is allowed beside the public internet. */
  readonly allowed: readonly Destination[];
  /** Every address of a host name. The system's resolver unless told otherwise. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
}

/**
 * Makes the connections of an undici dispatcher, and only those that the rules admit. A name is looked up once and
 * connected to at the addresses that passed, so that a second look-up has nothing to say; names and literals are
 * judged alike, for a literal is never looked up. It is asked anew for every hop, since redirects connect again.
 */
export function guardedConnector(
  { allowed, resolve = resolveBySystem }: OutboundRules,
  timeoutMs: number,
): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname;
    const port = portOf(options);
    const open = (address: string) => admits(allowed, { host, port, address });
    if (isIP(host) !== 0 && !open(host)) return callback(new AddressRefused(host), null);
    const lookup: LookupFunction = (name, { all }, done) => {
      const passed = (found: readonly ResolvedAddress[]) => {
        const passing = found.filter(({ address }) => open(address));
        const [first] = passing;
        if (!first) return done(new AddressRefused(name), '');
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

/** These names mean this machine whatever a resolver says of them (RFC 6761 §6.3). */
const isLocal = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const resolveBySystem = (host: string): Promise<readonly ResolvedAddress[]> =>
  lookUp(host, { all: true });

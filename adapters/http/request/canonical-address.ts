import ipaddr from 'ipaddr.js';

/** Longer texts are no address. The longest is an IPv6 address with brackets, a zone and a port. */
const MAX_ADDRESS_LENGTH = 128;

/** An address in brackets, or an IPv4 address, each with the port that some proxies add. */
const WITH_PORT = /^(?:\[([^[\]]+)\]|(\d+(?:\.\d+){3}))(?::\d{1,5})?$/;

/** Addresses that a stateless translator gives to IPv4 clients of an IPv6 network (RFC 6052 §2.1, RFC 7755). */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * The one spelling of an address that limits, sessions and logs use (RFC 5952): without port, brackets, quotes, spaces
 * and zone, and as IPv4 if IPv6 only carries it. '' for a text that is no address.
 *
 * An IPv4 address has four decimal numbers. Programs disagree about `010.0.0.1`, `0x7f.1` and `1`, so these are none.
 */
export function canonicalAddress(text: string): string {
  if (text.length > MAX_ADDRESS_LENGTH) return '';
  const entry = text.trim().replace(/^"(.*)"$/s, '$1');
  const [, bracketed, v4] = WITH_PORT.exec(entry) ?? [];
  const literal = bracketed ?? v4 ?? entry;
  if (ipaddr.IPv4.isValidFourPartDecimal(literal)) return ipaddr.IPv4.parse(literal).toString();
  if (!literal.includes(':') || !ipaddr.IPv6.isValid(literal)) return '';
  return withoutCarrier(ipaddr.IPv6.parse(literal));
}

function withoutCarrier(address: ipaddr.IPv6): string {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const bytes = address.toByteArray();
  if (address.match(TRANSLATED)) return new ipaddr.IPv4(bytes.slice(12)).toString();
  // Without the zone, which is an interface of this machine (RFC 4007 §11).
  return new ipaddr.IPv6(bytes).toRFC5952String();
}

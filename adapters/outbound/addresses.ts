import ipaddr from 'ipaddr.js';

/** IPv6 hands out no addresses to the public but these (RFC 4291 §2.4, IANA "Global Unicast"). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address literal, one of IPv4 inside IPv6 as the IPv4 it stands for; undefined when it is no literal. */
export function addressOf(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

/**
 * Whether an address belongs to the public internet: no loopback, private, link-local, shared, multicast, reserved or
 * documentation range, and none of the ranges of IPv6 that carry an IPv4 address inside (NAT64, 6to4, Teredo, `::/96`).
 */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

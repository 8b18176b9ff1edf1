import ipaddr from 'ipaddr.js';

/** The only IPv6 range assigned to the public internet (RFC 4291 §2.4, IANA "Global Unicast"). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Metadata services of cloud platforms, which return credentials of the machine, and all link-local addresses. Some
 * are in private or shared ranges, and one (Azure) is a public address.
 */
const METADATA = [
  '169.254.0.0/16', // RFC 3927; AWS, Google, Azure, Oracle, OpenStack, Tencent, Scaleway
  '100.100.100.200/32', // Alibaba
  '168.63.129.16/32', // Azure
  '192.0.0.192/32', // Oracle
  'fe80::/10', // RFC 4291 §2.5.6; OpenStack
  'fd00:ec2::/32', // AWS: instances, containers, time, names
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fd00:42::42/128', // Scaleway
  'fd20:ce::254/128', // Google
].map((range) => ipaddr.parseCIDR(range));

/**
 * IPv6 ranges that embed an IPv4 address, and the bit offset of it: a gateway or the system itself may forward
 * packets to it (RFC 4291 §2.5.5, RFC 6052, RFC 8215, RFC 3056, RFC 7915).
 */
const CARRIERS = (
  [
    ['::/96', 96],
    ['::ffff:0:0/96', 96],
    ['::ffff:0:0:0/96', 96],
    ['64:ff9b::/96', 96],
    ['64:ff9b:1::/48', 96],
    ['2002::/16', 16],
  ] as const
).map(([range, bit]) => ({ range: ipaddr.IPv6.parseCIDR(range), byte: bit / 8 }));

/** An address literal, with an IPv4-mapped IPv6 address as IPv4; undefined if it is no literal. */
export function addressOf(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

/**
 * Whether an address belongs to the public internet: not a loopback, private, link-local, shared, multicast, reserved
 * or documentation range, and not an IPv6 range that embeds an IPv4 address (NAT64, 6to4, Teredo, `::/96`).
 */
export function isPublic(address: Address): boolean {
  if (isMetadata(address)) return false;
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** Whether the address is that of a platform's metadata service, also if it is embedded in IPv6. */
export function isMetadata(address: Address): boolean {
  return [address, ...carriedBy(address)].some((each) =>
    METADATA.some(([base, bits]) => each.kind() === base.kind() && each.match(base, bits)),
  );
}

function carriedBy(address: Address): readonly Address[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  const carried = CARRIERS.filter(({ range }) => address.match(range)).map(
    ({ byte }) => new ipaddr.IPv4(bytes.slice(byte, byte + 4)),
  );
  // Teredo (RFC 4380 §4) inverts the address of the client; ISATAP (RFC 5214 §6.1) marks its interface id.
  if (address.range() === 'teredo')
    carried.push(new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff)));
  const [, , , , flags = 0, mark] = address.parts;
  if ((flags & ~0x200) === 0 && mark === 0x5efe) carried.push(new ipaddr.IPv4(bytes.slice(12)));
  return carried;
}

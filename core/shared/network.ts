/**
 * The network of a client address as shown to owners and counted: the first 24 bits of an IPv4 address, also in its
 * IPv6-mapped form, the first 48 of an IPv6 address, in the canonical form of RFC 5952. '' for a text that is no address.
 */
export function networkOf(address: string): string {
  const v4 = ipv4Of(address);
  if (v4) return `${v4.slice(0, 3).join('.')}.0/24`;
  const prefix = ipv6Of(address)?.slice(0, 3);
  if (!prefix) return '';
  // The zeros at its end are part of the longest run.
  while (prefix.at(-1) === 0) prefix.pop();
  return `${prefix.map(toHex).join(':')}::/48`;
}

/**
 * The network that limits of visitors apply to. An IPv6 client controls a whole network, so the first 64 bits identify it.
 * An IPv4 address identifies itself, also in its IPv6-mapped form. '' for a text that is no address: all such clients
 * share one limit.
 */
export function clientNetwork(address: string): string {
  const v4 = ipv4Of(address);
  if (v4) return v4.join('.');
  const groups = ipv6Of(address);
  return groups ? `${groups.slice(0, 4).map(toHex).join(':')}::/64` : '';
}

const toHex = (group: number): string => group.toString(16);

/** The bytes of an IPv4 address, also in its IPv6-mapped form (RFC 4291 §2.5.5.2). */
function ipv4Of(address: string): readonly number[] | undefined {
  const groups = ipv6Of(address);
  if (!groups) return bytesOf(address);
  const [, , , , , marker = 0, high = 0, low = 0] = groups;
  const isMapped = marker === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255] : undefined;
}

/** The groups of an IPv6 address. Its zone is an interface of this machine (RFC 4007 §11). */
const ipv6Of = (address: string): number[] | undefined =>
  address.includes(':') ? groupsOf(address.replace(/%.+$/s, '')) : undefined;

/** The bytes of an IPv4 address. With leading zeros it is none: programs disagree about their base. */
function bytesOf(text: string): readonly number[] | undefined {
  if (!/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

/** The eight groups of an IPv6 address (RFC 4291 §2.2). */
function groupsOf(text: string): number[] | undefined {
  const halves = inHex(text)?.split('::').map(hexGroupsOf);
  const [left, right] = halves ?? [];
  if (!halves || !left || halves.length > 2) return undefined;
  if (halves.length === 1) return left.length === 8 ? left : undefined;
  if (!right || left.length + right.length > 7) return undefined;
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return [...left, ...zeros, ...right];
}

/** With the last two groups in hex, where they are written like an IPv4 address. */
function inHex(text: string): string | undefined {
  if (!text.includes('.')) return text;
  const start = text.lastIndexOf(':') + 1;
  const bytes = bytesOf(text.slice(start));
  if (start === 0 || !bytes) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${text.slice(0, start)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/** Groups without a gap. */
function hexGroupsOf(text: string): number[] | undefined {
  const groups = text === '' ? [] : text.split(':');
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => parseInt(group, 16))
    : undefined;
}

/**
 * The network of a client address. An IPv6 client controls a whole network, so the first 64 bits identify it. An IPv4
 * address stands for itself, also in its IPv6-mapped form.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const left = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: left }, () => '0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Canonical form: lower case, without leading zeros. */
const groupsOf = (text: string): readonly string[] =>
  text === ''
    ? []
    : text.split(':').map((group) => group.toLowerCase().replace(/^0+(?=[0-9a-f])/, ''));

/**
 * Whom an address is taken for. Who has one address of IPv6 has a network of them, so that its first 64 bits tell; an
 * address of IPv4 stands for itself, also where it is written as one of IPv6.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const left = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: left }, () => '0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** In one spelling: lower case, without leading noughts. */
const groupsOf = (text: string): readonly string[] =>
  text === ''
    ? []
    : text.split(':').map((group) => group.toLowerCase().replace(/^0+(?=[0-9a-f])/, ''));

/** Code point order, which equals the byte order of UTF-8 and thus that of the databases. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // In UTF-16 the surrogates of astral characters sort before the end of the basic plane.
    const astral = Number(isSurrogate(x)) - Number(isSurrogate(y));
    return astral === 0 ? x - y : astral;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => (unit & 0xf800) === 0xd800;

interface Dated {
  readonly id: string;
  readonly createdAt: number;
}

export const newestFirst = (a: Dated, b: Dated): number =>
  b.createdAt - a.createdAt || byCodePoint(b.id, a.id);

/** One page of a sorted list with the total count. */
export const cut = <T>(
  all: readonly T[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { items: readonly T[]; total: number } => ({
  items: all.slice(offset, offset + limit),
  total: all.length,
});

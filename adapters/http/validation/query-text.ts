/** A value that is not the percent-encoding of UTF-8. */
export interface Malformed {
  readonly raw: string;
}

/** What was sent for a name: its text, or undefined where nothing was. */
export type Lookup = (name: string) => string | Malformed | undefined;

const nothing: Lookup = () => undefined;

/**
 * Finds the values of a query by their names, as HTML forms write them (WHATWG URL §5.1): of a repeated name the last
 * counts, a name alone has an empty value, and other names are not even decoded.
 */
export function createQueryLookup(url: string, names: ReadonlySet<string>): Lookup {
  const start = url.indexOf('?');
  if (start < 0 || start === url.length - 1) return nothing;
  const values = new Map<string, string | Malformed>();
  let from = start + 1;
  while (from <= url.length) {
    const next = url.indexOf('&', from);
    const end = next < 0 ? url.length : next;
    const equals = url.indexOf('=', from);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    const name = decoded(url.slice(from, nameEnd));
    if (typeof name === 'string' && names.has(name))
      values.set(name, decoded(url.slice(Math.min(nameEnd + 1, end), end)));
    from = end + 1;
  }
  return (name) => values.get(name);
}

function decoded(raw: string): string | Malformed {
  if (!/[%+]/.test(raw)) return raw;
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    // Told apart from every text, so that it is refused where the name is one that counts.
    return { raw };
  }
}

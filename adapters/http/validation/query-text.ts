/** A value that is not the percent-encoding of UTF-8. */
export interface Malformed {
  readonly raw: string;
}

/** The text sent for a name; undefined without one. */
export type Lookup = (name: string) => string | Malformed | undefined;

const nothing: Lookup = () => undefined;

/**
 * Finds the values of a query by their names, as HTML forms write them (WHATWG URL §5.1). Of a repeated name the last
 * counts. A name without `=` has an empty value. Other names are not decoded.
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
    // Distinct from every text, so that it is rejected if the name is a declared one.
    return { raw };
  }
}

/** What a path leads to, with the values of its parameters. */
export interface RouteMatch<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

interface Pattern<T> {
  readonly segments: readonly string[];
  readonly value: T;
  readonly order: number;
}

const NO_PARAMS = Object.freeze({});

/**
 * Looks paths up among patterns in express's form, `/v1/objects/:object_id`; of several that fit, the first of the list
 * counts. One look-up for a path without parameters, however many patterns there are. A path with an escape or a
 * fragment in it is left to whoever takes it apart.
 */
export function createRouteTable<T>(
  patterns: readonly (readonly [pattern: string, value: T])[],
): (path: string, fits: (value: T) => boolean) => RouteMatch<T> | undefined {
  const plain = new Map<string, Pattern<T>>();
  const byLength = new Map<number, Pattern<T>[]>();
  for (const [order, [pattern, value]] of patterns.entries()) {
    const segments = pattern.split('/');
    const made = { segments, value, order };
    if (!pattern.includes(':')) plain.set(pattern, made);
    else byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), made]);
  }
  return (path, fits) => {
    if (path.includes('%') || path.includes('#')) return undefined;
    const known = plain.get(path);
    const exact = known && fits(known.value) ? known : undefined;
    const segments = path.split('/');
    for (const each of byLength.get(segments.length) ?? []) {
      if (exact && exact.order < each.order) break;
      if (fitsIn(each.segments, segments) && fits(each.value))
        return { value: each.value, params: paramsOf(each.segments, segments) };
    }
    return exact && { value: exact.value, params: NO_PARAMS };
  };
}

function fitsIn(pattern: readonly string[], path: readonly string[]): boolean {
  // From the end, where patterns of one length differ most.
  for (let i = pattern.length - 1; i > 0; i--)
    if (pattern[i]?.startsWith(':') ? path[i] === '' : pattern[i] !== path[i]) return false;
  return true;
}

const paramsOf = (pattern: readonly string[], path: readonly string[]) =>
  Object.fromEntries(
    pattern.flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), path[i] ?? '']] : [])),
  );

import { NO_PARAMS, type Params } from '../pipeline/exchange.ts';

/** The entry that a path matches, with the values of its path parameters. */
export interface RouteMatch<T> {
  readonly value: T;
  readonly params: Params;
}

interface Pattern<T> {
  readonly segments: readonly string[];
  /** Names of the path parameters, `undefined` for literal segments. */
  readonly names: readonly (string | undefined)[];
  /** Literal text behind a parameter in its segment: `.ics` of `:secret.ics`. */
  readonly suffixes: readonly string[];
  readonly value: T;
  readonly order: number;
}

const PARAMETER = /^:(\w+)(.*)$/;

/**
 * Looks up paths among patterns such as `/v1/objects/:object_id`. Of several patterns that match, the first one that
 * `accepts` the method wins. A path without parameters takes one look-up. Segments are compared as sent, case-sensitively;
 * values of parameters are decoded. A path with a malformed escape in a value matches nothing.
 */
export function createRouteTable<T, M = string>(
  patterns: readonly (readonly [pattern: string, value: T])[],
  accepts: (value: T, method: M) => boolean,
): (path: string, method: M) => RouteMatch<T> | undefined {
  const literal = new Map<string, Pattern<T>>();
  const byLength = new Map<number, Pattern<T>[]>();
  for (const [order, [pattern, value]] of patterns.entries()) {
    const segments = pattern.split('/');
    const parts = segments.map((each) => PARAMETER.exec(each));
    const names = parts.map((part) => part?.[1]);
    const suffixes = parts.map((part) => part?.[2] ?? '');
    const entry = { segments, names, suffixes, value, order };
    if (!pattern.includes(':')) literal.set(pattern, entry);
    else byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), entry]);
  }
  return (path, method) => {
    const known = literal.get(path);
    const exact = known && accepts(known.value, method) ? known : undefined;
    const segments = path.split('/');
    for (const each of byLength.get(segments.length) ?? []) {
      if (exact && exact.order < each.order) break;
      if (!matches(each, segments) || !accepts(each.value, method)) continue;
      const params = paramsOf(each, segments);
      return params && { value: each.value, params };
    }
    return exact && { value: exact.value, params: NO_PARAMS };
  };
}

function matches<T>({ segments, names, suffixes }: Pattern<T>, path: readonly string[]): boolean {
  // From the end, where patterns of one length differ most.
  for (let i = segments.length - 1; i > 0; i--)
    if (
      names[i] === undefined ? segments[i] !== path[i] : !endsWith(path[i] ?? '', suffixes[i] ?? '')
    )
      return false;
  return true;
}

/** A value of at least one character before the suffix. */
const endsWith = (segment: string, suffix: string): boolean =>
  segment.length > suffix.length && segment.endsWith(suffix);

/** Undefined if a value is not the percent-encoding of UTF-8. */
function paramsOf<T>({ names, suffixes }: Pattern<T>, path: readonly string[]): Params | undefined {
  const params: [string, string][] = [];
  for (let i = 1; i < names.length; i++) {
    const name = names[i];
    if (name === undefined) continue;
    const segment = path[i] ?? '';
    const value = decode(segment.slice(0, segment.length - (suffixes[i] ?? '').length));
    if (value === undefined) return undefined;
    params.push([name, value]);
  }
  return Object.fromEntries(params);
}

function decode(value: string): string | undefined {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** JSON text that is sent verbatim, for values that JavaScript cannot represent. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An object whose names may repeat. */
export class Members {
  readonly pairs: (readonly [name: string, value: unknown])[];
  constructor(pairs: (readonly [name: string, value: unknown])[]) {
    this.pairs = pairs;
  }
}

/** JSON of values, raw pieces and repeated names. Unpaired surrogates become escapes. */
export function jsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (value instanceof Members) return objectText(value.pairs);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) return objectText(Object.entries(value));
  return JSON.stringify(value) ?? 'null';
}

const objectText = (pairs: readonly (readonly [string, unknown])[]): string =>
  `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`).join(',')}}`;

/** The path of a value in a JSON tree; the empty path is the tree itself. */
export type JsonPath = readonly (string | number)[];

/** Every place in a tree, containers included, at most `limit` of them. */
export function placesIn(value: unknown, limit = 500): readonly JsonPath[] {
  const places: JsonPath[] = [];
  const visit = (each: unknown, path: JsonPath): void => {
    if (places.length >= limit) return;
    places.push(path);
    if (each instanceof RawJson || typeof each !== 'object' || each === null) return;
    const pairs = each instanceof Members ? each.pairs : Object.entries(each);
    for (const [name, inner] of pairs) visit(inner, [...path, name]);
  };
  visit(value, []);
  return places;
}

/** A copy of the tree in which `change` has replaced the value at the path. */
export function changedAt(
  value: unknown,
  path: JsonPath,
  change: (before: unknown) => unknown,
): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((each, i) => (i === Number(first) ? changedAt(each, rest, change) : each));
  // Of names that repeat, one may lead further and another may not.
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  const pairs = value instanceof Members ? value.pairs : Object.entries(value);
  return new Members(
    pairs.map(([name, each]) => [name, name === first ? changedAt(each, rest, change) : each]),
  );
}

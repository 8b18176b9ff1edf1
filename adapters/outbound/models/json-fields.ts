/** A field of a JSON value; undefined if it is no object, or has no such field of its own. */
export function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

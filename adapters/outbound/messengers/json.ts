/** What the standard has had since ES2025, before the compiler knows of it. */
const { parse, rawJSON } = JSON as unknown as {
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown;
  readonly rawJSON: (text: string) => unknown;
};

/** Reads JSON, with whole numbers that a `number` does not hold as bigints. Throws what JSON.parse throws. */
export function readJson(text: string): unknown {
  // Looking at each value takes ten times as long, and seldom is there anything to see.
  return /\d{16}/.test(text) ? parse(text, exact) : (JSON.parse(text) as unknown);
}

/** Writes JSON, with bigints as numbers. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? rawJSON(String(each)) : each,
  );

const exact = (_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
  // Longer ones would take long to read, and are no ids.
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d{1,30}$/.test(source)
    ? BigInt(source)
    : value;

/** Part of the standard since ES2025, but unknown to the compiler. */
const { parse, rawJSON } = JSON as unknown as {
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown;
  readonly rawJSON: (text: string) => unknown;
};

/** Parses JSON, with integers beyond the safe range as bigints. Throws what JSON.parse throws. */
export function readJson(text: string): unknown {
  // A reviver takes ten times as long, and is rarely needed.
  return /\d{16}/.test(text) ? parse(text, exact) : (JSON.parse(text) as unknown);
}

/** Writes JSON, with bigints as numbers. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? rawJSON(String(each)) : each,
  );

const exact = (_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
  // Longer ones are slow to parse, and no ids.
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d{1,30}$/.test(source)
    ? BigInt(source)
    : value;

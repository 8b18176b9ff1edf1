/**
 * The part of "JSON.parse source text access" (ECMA-262) that all supported Node versions have and TypeScript does not
 * declare yet.
 */
interface JSON {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** Serializes to exactly this text. */
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}

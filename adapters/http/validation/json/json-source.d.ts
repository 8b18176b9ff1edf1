/** What every Node we run on has of "JSON.parse source text access" (ECMA-262), and TypeScript does not know yet. */
interface JSON {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** Serialized, it is this very text. */
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}

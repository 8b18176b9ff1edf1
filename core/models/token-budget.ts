/**
 * An upper bound of the tokens in a text for any tokenizer: three UTF-8 bytes per token. English has more characters
 * per token, Russian and Chinese about as many bytes.
 */
export function estimateTokens(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Each half of a surrogate pair counts for two of the code point's four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return Math.ceil(bytes / 3);
}

/** The first items that fit into a token budget together. */
export function takeWithinBudget<T>(
  items: readonly T[],
  capacity: number,
  textOf: (item: T) => string,
): T[] {
  const taken: T[] = [];
  let left = capacity;
  for (const item of items) {
    left -= estimateTokens(textOf(item));
    if (left < 0) break;
    taken.push(item);
  }
  return taken;
}

/** A text truncated to a number of tokens, at a word boundary if there is one. */
export function truncateToTokens(text: string, capacity: number): string {
  if (estimateTokens(text) <= capacity) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (estimateTokens(text.slice(0, middle)) <= capacity) low = middle;
    else high = middle - 1;
  }
  const cut = text.slice(0, low).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${space > cut.length / 2 ? cut.slice(0, space) : cut}…`;
}

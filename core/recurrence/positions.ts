/** Indexes that BYSETPOS chooses in a list of so many (RFC 5545 §3.3.10): from 1, from its end from -1; ascending, each once. */
export function chosen(positions: readonly number[], size: number): readonly number[] {
  const indexes = positions
    .map((position) => (position > 0 ? position - 1 : size + position))
    .filter((index) => index >= 0 && index < size);
  return [...new Set(indexes)].sort((a, b) => a - b);
}

export const at = <T>(positions: readonly number[], list: readonly T[]): readonly T[] =>
  chosen(positions, list.length).map((index) => list[index]!);

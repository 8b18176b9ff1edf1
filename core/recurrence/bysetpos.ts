/**
 * Indexes that BYSETPOS selects in a list of the given length (RFC 5545 §3.3.10): from 1, or from the end from -1;
 * ascending, without duplicates.
 */
export function selectPositions(positions: readonly number[], size: number): readonly number[] {
  const indexes = positions
    .map((position) => (position > 0 ? position - 1 : size + position))
    .filter((index) => index >= 0 && index < size);
  return [...new Set(indexes)].sort((a, b) => a - b);
}

export const at = <T>(positions: readonly number[], list: readonly T[]): readonly T[] =>
  selectPositions(positions, list.length).map((index) => list[index]!);

/** A line of a comparison: the same, removed, added, or lines that are the same and left out. */
export interface DiffLine {
  readonly sign: '=' | '-' | '+' | '…';
  readonly line: string;
}

/** Beyond it the middle is shown as removed and added as a whole. */
const MAX_CELLS = 4_000_000;
const CONTEXT = 2;
const MAX_LINES = 2_000;

/** The difference of two texts by lines, with two lines around each change. Empty if they are the same. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  if (before === after) return [];
  const [a, b] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  const rest = Math.min(a.length, b.length) - start;
  while (end < rest && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((line) => ({ sign: '=', line }));
  const all = [
    ...same(a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
  return shorten(all).slice(0, MAX_LINES);
}

/** By the longest common subsequence. */
function middle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const removed = (lines: readonly string[]): DiffLine[] =>
    lines.map((line) => ({ sign: '-', line }));
  const added = (lines: readonly string[]): DiffLine[] =>
    lines.map((line) => ({ sign: '+', line }));
  if (a.length * b.length > MAX_CELLS) return [...removed(a), ...added(b)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length)
    if (a[i] === b[j]) {
      lines.push({ sign: '=', line: a[i] ?? '' });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push({ sign: '-', line: a[i++] ?? '' });
    else lines.push({ sign: '+', line: b[j++] ?? '' });
  return [...lines, ...removed(a.slice(i)), ...added(b.slice(j))];
}

function shorten(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Set<number>();
  lines.forEach(({ sign }, index) => {
    if (sign === '=') return;
    for (let by = -CONTEXT; by <= CONTEXT; by++) near.add(index + by);
  });
  return lines.flatMap((line, index): readonly DiffLine[] => {
    if (near.has(index)) return [line];
    return index === 0 || near.has(index - 1) ? [{ sign: '…', line: '' }] : [];
  });
}

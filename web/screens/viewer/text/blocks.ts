import type { TextRange } from './range.ts';

/** A paragraph, or a part of one that is very long. */
export interface Block extends TextRange {
  /** The page that begins here. */
  readonly page?: number;
}

const MAX_BLOCK_LENGTH = 4_000;

/** Cuts a text into paragraphs at its blank lines and where pages begin. */
export function blocksOf(text: string, pages: ReadonlyMap<number, number>): readonly Block[] {
  const cuts = new Set<number>([0, text.length, ...pages.keys()]);
  for (const { index, 0: blank } of text.matchAll(/\n[^\S\n]*\n\s*/g))
    cuts.add(index + blank.length);
  const sorted = [...cuts].filter((at) => at <= text.length).sort((a, b) => a - b);
  return sorted.slice(0, -1).flatMap((start, position) => {
    const end = sorted[position + 1] ?? text.length;
    const page = pages.get(start);
    const parts = cutLong(text, { start, end });
    return parts.map((part, at) => (at === 0 && page !== undefined ? { ...part, page } : part));
  });
}

function cutLong(text: string, { start, end }: TextRange): readonly TextRange[] {
  const parts: TextRange[] = [];
  for (let from = start; from < end;) {
    let to = Math.min(end, from + MAX_BLOCK_LENGTH);
    if (to < end) {
      const line = text.lastIndexOf('\n', to - 1) + 1;
      if (line > from) to = line;
      else if ((text.codePointAt(to - 1) ?? 0) > 0xffff) to--;
    }
    parts.push({ start: from, end: to });
    from = to;
  }
  return parts;
}

/** A range of a text in UTF-16 units, as strings count. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const MAX_PASSAGE_LENGTH = 1_000;

/** The place that an address names, in code points, as the service counts: `#t=8123-8240`. */
export function placeOfHash(hash: string): TextRange | undefined {
  const found = /^#t=(\d{1,9})-(\d{1,9})$/.exec(hash);
  if (!found) return undefined;
  const [start, end] = [Number(found[1]), Number(found[2])];
  return start < end ? { start, end } : undefined;
}

/** Converts code points to UTF-16 units. */
export function toUnits(text: string, { start, end }: TextRange): TextRange {
  const from = unitAt(text, 0, start);
  return { start: from, end: unitAt(text, from, end - start) };
}

function unitAt(text: string, from: number, codePoints: number): number {
  let at = from;
  for (let left = codePoints; left > 0 && at < text.length; left--)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/** The number of code points before a UTF-16 unit. */
export function codePointsBefore(text: string, unit: number): number {
  let count = 0;
  for (let at = 0; at < unit; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

/** The paragraphs around a range, to the blank lines, at most 1 000 characters. */
export function passageAround(text: string, { start, end }: TextRange): TextRange {
  const before = [...text.slice(0, start).matchAll(/\n[^\S\n]*\n/g)].at(-1);
  const after = /\n[^\S\n]*\n/.exec(text.slice(end));
  const from = before ? before.index + before[0].length : 0;
  const to = after ? end + after.index : text.length;
  if (to - from <= MAX_PASSAGE_LENGTH) return { start: from, end: to };
  const room = Math.max(0, MAX_PASSAGE_LENGTH - (end - start)) / 2;
  return {
    start: Math.max(from, start - Math.floor(room)),
    end: Math.min(to, end + Math.floor(room)),
  };
}

const MARK = /^["＂“”„‟«»「」『』]$/;

export const isQuoteMark = (unit: string): boolean => MARK.test(unit);

/** What a quotation mark does. A straight one amid letters may do either. */
export type Role = 'opens' | 'closes' | 'either';

/** After these something opens, before those it closes. `￼` is a marker, `''` an end of the text. */
const BEFORE_OPENING = /^[\s(（[{<>—–\-/*_~|:：,，;；。、！？…\ufffc"＂“”„‟«»「『\\]?$/u;
const BEFORE_CLOSING = /^[\s.,;:!?…。，；：！？、)）\]}—–\-/*_~|[［【<"＂“”„‟«»」』\\]?$/u;

/** The role of a mark by what stands before and after it, '' at an end of the text. */
export function roleOf(mark: string, before: string, after: string): Role {
  if (/[「『„‟]/.test(mark)) return 'opens';
  if (/[」』]/.test(mark)) return 'closes';
  const opens = BEFORE_OPENING.test(before) && !/^(?:[\s.,;:!?)）\]}。，；：！？、]|)$/.test(after);
  const closes = !/^\s?$/.test(before) && BEFORE_CLOSING.test(after);
  if (opens !== closes) return opens ? 'opens' : 'closes';
  if (/[“«]/.test(mark)) return 'opens';
  return /[”»]/.test(mark) ? 'closes' : 'either';
}

const KINDS = ['"＂', '“”„‟', '«»', '「」', '『』'];

/** Whether one of them can close what the other opened. */
export const areOfOneKind = (mark: string, other: string): boolean =>
  KINDS.some((kind) => kind.includes(mark) && kind.includes(other));

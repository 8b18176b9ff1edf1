const MARK = /^["＂“”„‟«»「」『』]$/;

export const isQuoteMark = (unit: string): boolean => MARK.test(unit);

/** Role of a quotation mark. A straight one between letters is ambiguous. */
export type Role = 'opens' | 'closes' | 'either';

/** After these characters a mark opens, before those it closes. `￼` is a marker, `''` an end of the text. */
const BEFORE_OPENING = /^[\s(（[{<>—–\-/*_~|:：,，;；。、！？…\ufffc"＂“”„‟«»「『\\]?$/u;
const BEFORE_CLOSING = /^[\s.,;:!?…。，；：！？、)）\]}—–\-/*_~|[［【<"＂“”„‟«»」』\\]?$/u;

/** The role of a mark, judged by the characters before and after it, '' at an end of the text. */
export function quoteRole(mark: string, before: string, after: string): Role {
  if (/[「『„‟]/.test(mark)) return 'opens';
  if (/[」』]/.test(mark)) return 'closes';
  const opens = BEFORE_OPENING.test(before) && !/^(?:[\s.,;:!?)）\]}。，；：！？、]|)$/.test(after);
  const closes = !/^\s?$/.test(before) && BEFORE_CLOSING.test(after);
  if (opens !== closes) return opens ? 'opens' : 'closes';
  if (/[“«]/.test(mark)) return 'opens';
  return /[”»]/.test(mark) ? 'closes' : 'either';
}

const KINDS = ['"＂', '“”„‟', '«»', '「」', '『』'];

/** Whether one mark can close a quotation that the other opened. */
export const isMatchingPair = (mark: string, other: string): boolean =>
  KINDS.some((kind) => kind.includes(mark) && kind.includes(other));

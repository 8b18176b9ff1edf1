/** Length of a line considered, in UTF-16 units. */
const LOOKED_AT = 400;

const MARKED_HEADING = /^\s*#{1,6}\s/;
const FENCE = /^\s*(?:```|~~~)/;
/** Cells separated by bars or tabs, in columns, or by commas without spaces. */
const TABLE_ROW = /^\s*\||\t|\S {3,}\S[^\n]*\S {3,}\S|^(?:[^\s,][^,\n]{0,60},(?! )){3}/;
const LEADERS = /\.{4}|(?:\. ){3}|…{2}/;
const PAGE_ENTRY = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?\s\p{L}[^.!?]{0,80}\s\d{1,4}$/u;
const LIST_ITEM = /^\s*(?:[-*•–▪◦·]|\d{1,3}[.)])\s/u;
const ENDS = /[.!?…。！？｡:：;；,，、][\])"'”’»」]*$/u;
const NUMBERING =
  /^(?:§\s*)?(?:\d{1,2}(?:\.\d{1,2}){0,3}[.)]?|[IVX]{1,5}\.|\p{L}+\s\d{1,2}[.:]?(?=\s))\s+/u;
const MAX_HEADING_LENGTH = 80;
const MAX_LABEL_LENGTH = 60;

const beginning = (line: string): string => line.slice(0, LOOKED_AT);

export const isMarkedHeading = (line: string): boolean => MARKED_HEADING.test(line.slice(0, 20));
export const isFence = (line: string): boolean => FENCE.test(line.slice(0, 20));
export const isTableRow = (line: string): boolean => TABLE_ROW.test(beginning(line));
export const isListItem = (line: string): boolean => LIST_ITEM.test(line.slice(0, 20));

/** An entry of a table of contents: its target is elsewhere. */
export const isContentsEntry = (line: string): boolean =>
  LEADERS.test(beginning(line)) || PAGE_ENTRY.test(beginning(line));

/** Lines that are never joined with their neighbours, however long they are. */
export const isOwnLine = (line: string): boolean =>
  isMarkedHeading(line) || isFence(line) || isTableRow(line) || LEADERS.test(beginning(line));

/**
 * Looks like a heading without markup: short, without final punctuation, and without figures, since a short line with
 * a figure more likely states something.
 */
export const looksLikeHeading = (line: string): boolean =>
  line.length <= MAX_HEADING_LENGTH &&
  !ENDS.test(line) &&
  !isListItem(line.replace(NUMBERING, '')) &&
  !isTableRow(line) &&
  /^["'“„«(¿¡]*[\p{Lu}\p{Lo}]/u.test(line.replace(NUMBERING, '')) &&
  !/\p{Nd}/u.test(line.replace(NUMBERING, '')) &&
  !/:\s/.test(line);

/** A short line without final punctuation that is neither a field nor a list item. */
export const isFragment = (line: string): boolean =>
  line.length <= MAX_HEADING_LENGTH && !ENDS.test(line) && !isListItem(line) && !/[:：]/.test(line);

/** The label of the next lines: `Bill to:`. */
export const isLabel = (line: string): boolean =>
  line.length <= MAX_LABEL_LENGTH && /[:：]$/.test(line);

export const isQuestion = (sentence: string): boolean =>
  /[?？]["'”’»)\]*_」』\s]{0,8}$/u.test(sentence.slice(-12));

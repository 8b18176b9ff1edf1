import { layoutOf, wellFormed } from '../text/index.ts';
import { truncate, oneLine } from './title.ts';

/** Length considered, in UTF-16 units. */
const LOOKED_AT = 24_000;
const MAX_SENTENCES = 4;
const LONGEST = 600;
const MAX_SENTENCE_LENGTH = 320;
const MIN_SENTENCE_LENGTH = 30;
const MAX_DESCRIPTION_LENGTH = 200;

const SALUTATION =
  /^(?:dear|hello|hi|уважаем|здравствуйте|привет|sehr geehrt|liebe|madame|monsieur|chère?|estimad|[\p{L} ]{0,24}sincerely|с уважением|kind regards|best regards|mit freundlichen|cordialement|atentamente|thank you for your letter)/iu;

const NUMBERING = /^(?:[-*•–]|\d{1,2}(?:\.\d{1,2}){0,3}[.)]?)\s+/u;

export interface Summary {
  /** At most 600 code points. */
  readonly summary: string;
  /** One sentence, at most 200 code points. */
  readonly description: string;
}

/**
 * An extractive summary: the first sentence of each paragraph. A text without sentences, such as a bill, is
 * summarised by its first lines.
 */
export function summaryOf(text: string, title: string): Summary {
  const head = wellFormed(text.slice(0, LOOKED_AT));
  const sentences = openings(head, title);
  if (sentences.length === 0) return byLines(head, title);
  let summary = '';
  let taken = 0;
  for (const sentence of sentences) {
    const longer = summary === '' ? sentence : `${summary} ${sentence}`;
    if (taken === MAX_SENTENCES || [...longer].length > LONGEST) break;
    summary = longer;
    taken += 1;
  }
  return { summary, description: truncate(sentences[0] ?? '', MAX_DESCRIPTION_LENGTH) };
}

/** The first sentence of each paragraph; with few paragraphs also the following sentences. */
function openings(head: string, title: string): readonly string[] {
  const firsts: string[] = [];
  const others: { readonly at: number; readonly text: string }[] = [];
  const order = new Map<string, number>();
  let block = -1;
  layoutOf(head).forEach((piece, at) => {
    if (piece.role !== 'prose') return;
    const sentence = oneLine(head.slice(piece.start, piece.end)).replace(NUMBERING, '');
    if (!isInformative(sentence) || same(sentence, title) || order.has(sentence)) return;
    order.set(sentence, at);
    if (piece.block === block) others.push({ at, text: truncate(sentence, MAX_SENTENCE_LENGTH) });
    else firsts.push(truncate(sentence, MAX_SENTENCE_LENGTH));
    block = piece.block;
  });
  if (firsts.length >= 3) return firsts;
  const chosen = [...firsts, ...others.slice(0, MAX_SENTENCES - firsts.length).map((o) => o.text)];
  return chosen.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

/** A complete sentence that is not a greeting, a field or a list of figures. */
const isInformative = (sentence: string): boolean =>
  [...sentence].length >= (/\p{Script=Han}/u.test(sentence) ? 10 : MIN_SENTENCE_LENGTH) &&
  /[.!?…。！？»"”)]$/u.test(sentence) &&
  !SALUTATION.test(sentence) &&
  (sentence.match(/\p{Nd}/gu)?.length ?? 0) * 4 < sentence.length;

const same = (a: string, b: string): boolean => bare(a) === bare(b);
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

const MAX_LINES = 5;
const MAX_LINES_LENGTH = 240;

function byLines(head: string, title: string): Summary {
  const lines = head
    .split('\n', 40)
    .map((line) => oneLine(line.slice(0, 400)).replace(/^#+\s*/, ''))
    .filter(
      (line) => /\p{L}{2}/u.test(line) && !/_{4,}|\.{6,}/.test(line) && !SALUTATION.test(line),
    );
  const told = lines.filter((line) => !same(line, title)).slice(0, MAX_LINES);
  const summary = truncate(told.join('; ') || title, MAX_LINES_LENGTH);
  return {
    summary,
    description: truncate(told.slice(0, 2).join('; ') || title, MAX_DESCRIPTION_LENGTH),
  };
}

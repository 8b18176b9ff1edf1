import type { TimeArgument } from '../../ports/agent-tools.ts';
import { isStopWord, type QuestionLanguage } from '../text/index.ts';
import { isPoliteRequest, mayOrder, type Action } from './action-words.ts';
import { looksLikePromptInjection } from './prompt-injection.ts';

/*
 * Grounding: whether the owner has ordered a change. After a model was shown text that the owner did not type, that
 * text may have caused the call (prompt injection). A call counts as the owner's only if one sentence that the owner typed names
 * every argument. The check compares texts and uses no model. In case of doubt the owner has to confirm the change.
 */

/** A message of the owner in this session. */
export interface OwnerMessage {
  readonly content: string;
  /** The ids of the objects that were attached to it. */
  readonly attached: readonly string[];
}

/** How a message of the owner must name an argument. */
export type Claim =
  /** No mention is required: the argument is absent, or has its default value. */
  | { readonly kind: 'default' }
  /** Words cannot name it clearly enough, so it always needs a confirmation. */
  | { readonly kind: 'unnameable' }
  /** An object, by its whole file name, by a quoted title, or as the only attachment. */
  | {
      readonly kind: 'object';
      readonly id: string;
      readonly filename: string;
      readonly title: string;
    }
  /** A new file name, for an object whose current name differs. */
  | { readonly kind: 'filename'; readonly value: string; readonly before: string }
  | { readonly kind: 'folder'; readonly id: string; readonly value: string }
  /** Words that occur or are quoted. */
  | { readonly kind: 'text'; readonly value: string }
  | {
      readonly kind: 'time';
      readonly value: TimeArgument;
      readonly part: 'start' | 'end';
      readonly allDay: boolean;
    };

type ObjectClaim = Extract<Claim, { readonly kind: 'object' }>;

export type Claims = Readonly<Record<string, Claim>>;

/** Limit of an order. A longer sentence is pasted rather than typed. */
const MAX_ORDER_LENGTH = 500;
const MAX_LINE_LENGTH = 2_000;
const MIN_NAME_LENGTH = 3;

/**
 * The arguments that no message of the owner names, all of them in one sentence; empty where one does. The names of the
 * arguments come from the message that names most of them.
 */
export function ungrounded(
  messages: readonly OwnerMessage[],
  action: Action,
  claims: Claims,
): readonly string[] {
  const request = Object.entries(claims).filter(([, { kind }]) => kind !== 'default');
  let fewest: readonly string[] = request.map(([argument]) => argument);
  // Without arguments there is nothing to compare, so no sentence can name the call.
  if (request.length === 0) return Object.keys(claims);
  for (const message of messages) {
    // A message that itself reads like an injection orders nothing.
    if (looksLikePromptInjection(message.content)) continue;
    for (const sentence of ordersIn(message.content)) {
      const missing = missingIn(sentence, message.attached, action, request);
      if (missing.length < fewest.length) fewest = missing;
    }
  }
  return fewest;
}

/**
 * Whether a message contains text that the owner may not have written: text behind the typed words, a quoted mail or
 * code, or a very long line. It can influence a model like any document.
 */
export function holdsPastedText(content: string): boolean {
  const { typed, pasted } = partsOf(content);
  return pasted !== '' || QUOTED_LINE.test(typed) || typed.length > MAX_LINE_LENGTH;
}

/** The typed words end at the first line break, or at the first colon that introduces text. The rest is pasted. */
function partsOf(content: string): { readonly typed: string; readonly pasted: string } {
  const text = content.replaceAll(MARKS, '').normalize('NFKC').trim();
  const end = text.search(END_OF_TYPED);
  if (end < 0) return { typed: text, pasted: '' };
  return { typed: text.slice(0, end), pasted: text.slice(end + 1).trim() };
}

/** One sentence that may be an order. Quoted parts are opaque: each is a private-use character in the text. */
interface Sentence {
  readonly text: string;
  readonly quotes: readonly string[];
  /** The sentence before it, which may name what "it" refers to. */
  readonly before: string;
}

const QUOTED =
  /“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|»([^«»]*)«|‹([^‹›]*)›|「([^「」]*)」|『([^『』]*)』|《([^《》]*)》|"([^"]*)"|`([^`]*)`|‘([^‘’]*)’|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])/gu;
const FIRST_MARK = 0xe000;
const MARKS = /[\ue000-\uf8ff]/g;
/** A line that quotes a mail, code or a table. */
const QUOTED_LINE = /^\s*(?:>|```|~~~|\|)/;
/**
 * A line break, or a colon that is not part of a time, a ratio, a URL or a drive letter. NFKC has replaced the
 * full-width colon; two characters that look like a colon count too.
 */
const END_OF_TYPED =
  /[\n\v\f\r\u0085\u2028\u2029]|(?<!\d)[:∶꞉](?=\d)|(?<!(?<![\p{L}\p{N}])(?:https?|ftps?|file)(?=:\/\/\S)|(?<![\p{L}\p{N}])[a-z](?=:[\\/]))[:∶꞉](?!\d)/iu;
const SENTENCE_END = /(?<=[.।])(?=\s)|(?<=[!?;؟。])/u;
const QUESTION = /[?？؟;՞]\s*$/u;

/**
 * The sentences of the typed words. Quoted text, and lines that quote a mail or code, may be copied from a document, so
 * they count as no order. A question is no order either.
 */
function ordersIn(content: string): readonly Sentence[] {
  const { typed } = partsOf(content);
  if (QUOTED_LINE.test(typed)) return [];
  const quotes: string[] = [];
  const order = typed.replaceAll(QUOTED, (...found: readonly unknown[]) => {
    const inner = found.slice(1, 13).find((group) => typeof group === 'string');
    return String.fromCodePoint(FIRST_MARK + quotes.push(normal(String(inner ?? ''))) - 1);
  });
  if (order.length > MAX_ORDER_LENGTH || quotes.length > MAX_ORDER_LENGTH) return [];
  const sentences = order.split(SENTENCE_END).filter((each) => each.trim() !== '');
  return sentences
    .map((each, i) => ({ text: normal(each), quotes, before: normal(sentences[i - 1] ?? '') }))
    .filter(({ text }) => !QUESTION.test(text) || isPoliteRequest(text));
}

const indexOfMark = (mark: string): number => mark.charCodeAt(0) - FIRST_MARK;

/** NFKC, in lower case, with single spaces. */
const normal = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** Where a value is named: a range of the sentence, or only by an attachment. */
type Span = readonly [from: number, to: number];
const ELSEWHERE: Span = [-1, -1];

/** Names of objects, files and folders must not be read from the same words. */
const APART: readonly Claim['kind'][] = ['object', 'filename', 'folder'];

function missingIn(
  sentence: Sentence,
  attached: readonly string[],
  action: Action,
  claims: readonly (readonly [string, Claim])[],
): readonly string[] {
  const found = claims.map(([argument, claim]) => ({
    argument,
    claim,
    spans: spansOf(sentence, attached, claim),
  }));
  const files = found.flatMap(({ claim, spans }) => (isFile(claim) ? spans : []));
  if (!mayOrder(action, without(sentence.text, files))) return claims.map(([argument]) => argument);
  const missing = found.filter(({ spans }) => spans.length === 0).map(({ argument }) => argument);
  if (missing.length > 0) return missing;
  const named = found.filter(({ claim }) => APART.includes(claim.kind));
  // "a to b" is no order to rename b to a: the new name comes after the first mention of the object.
  const before = found.find(({ claim }) => claim.kind === 'object')?.spans ?? [];
  const first = Math.min(...before.map(([, to]) => to));
  const unordered = found.filter(
    ({ claim, spans }) => claim.kind === 'filename' && spans.every(([from]) => from < first),
  );
  if (unordered.length > 0) return unordered.map(({ argument }) => argument);
  return fitApart(
    sentence,
    named.map(({ spans }) => spans),
  )
    ? []
    : named.map(({ argument }) => argument);
}

/** File names are not words of an order: neither `rename-list.md` nor `no.md`. */
const isFile = ({ kind }: Claim): boolean => kind === 'object' || kind === 'filename';

/** Whether each argument can have its own span. An attachment counts only if the sentence names no other file. */
function fitApart(
  sentence: Sentence,
  spans: readonly (readonly Span[])[],
  chosen: readonly Span[] = [],
): boolean {
  const [first, ...rest] = spans;
  if (!first) return !chosen.includes(ELSEWHERE) || !namesFile(sentence, chosen);
  return first.some(
    (span) =>
      chosen.every(([from, to]) => span[1] <= from || to <= span[0]) &&
      fitApart(sentence, rest, [...chosen, span]),
  );
}

const FILE = /[\ue000-\uf8ff]|[^\s.]\.[\p{L}\p{N}]{1,8}(?![\p{L}\p{N}])/u;
const namesFile = ({ text }: Sentence, chosen: readonly Span[]): boolean =>
  FILE.test(without(text, chosen));

/** The text with these ranges blanked, of the same length. */
const without = (text: string, spans: readonly Span[]): string =>
  spans
    .filter(([from]) => from >= 0)
    .reduce(
      (left, [from, to]) => `${left.slice(0, from)}${' '.repeat(to - from)}${left.slice(to)}`,
      text,
    );

function spansOf(sentence: Sentence, attached: readonly string[], claim: Claim): readonly Span[] {
  switch (claim.kind) {
    case 'default':
      return [ELSEWHERE];
    case 'unnameable':
      return [];
    case 'object':
      return [
        ...fileSpans(sentence, claim.filename),
        ...quoteSpans(sentence, [stemOf(claim.filename), claim.title]),
        ...(attached.length === 1 && attached[0] === claim.id ? [ELSEWHERE] : []),
        ...(attached.length === 0 && isOnlyFile(sentence, claim) ? [ELSEWHERE] : []),
      ];
    case 'filename': {
      const { value, before } = claim;
      if (extensionOf(value) !== extensionOf(before)) return fileSpans(sentence, value);
      const stem = stemOf(value);
      return [
        ...fileSpans(sentence, value),
        ...quoteSpans(sentence, [stem]),
        ...lastSpans(sentence, stem),
      ];
    }
    case 'folder':
      return [...quoteSpans(sentence, [claim.value]), ...wordSpans(sentence.text, claim.value)];
    case 'text':
      return textSpans(sentence, claim.value);
    case 'time':
      return namesTime(sentence.text, claim) ? [ELSEWHERE] : [];
  }
}

/** A whole file name. Without quotation marks only if it has an extension. */
const fileSpans = (sentence: Sentence, filename: string): readonly Span[] => [
  ...quoteSpans(sentence, [filename]),
  ...(extensionOf(filename) === '' ? [] : boundedSpans(sentence.text, normal(filename))),
];

const EXTENSION = /(?<=[^.])\.[\p{L}\p{N}]{1,8}$/u;
const extensionOf = (filename: string): string => EXTENSION.exec(normal(filename))?.[0] ?? '';
const stemOf = (filename: string): string => normal(filename).replace(EXTENSION, '');

/** Words that refer to something named in the previous sentence. */
const PRONOUN =
  /(?<![\p{L}\p{N}])(?:it|es|sie|ihn|его|ее|её|le|la|lo|jego|go|ją)(?![\p{L}\p{N}])|它|其/u;

/** Whether the sentence refers to the previous one, which names this file and no other. */
function isOnlyFile({ text, before, quotes }: Sentence, { filename, title }: ObjectClaim): boolean {
  if (!PRONOUN.test(text)) return false;
  const sentence = { text: before, quotes, before: '' };
  const spans = [
    ...fileSpans(sentence, filename),
    ...quoteSpans(sentence, [stemOf(filename), title]),
  ];
  return spans.length > 0 && !namesFile(sentence, spans);
}

/** Words that introduce a new name, and what may follow the name. */
const LEADS_TO = /(?:(?<![\p{L}\p{N}])(?:to|as|into|in|zu|в|на|en|a|para|na)\s+|为|為|成)$/u;
const FOLLOWS_NAME = /^\s*(?:um|please|bitte|пожалуйста|吧)?[\s.!。！]*$/u;

/** A new name without quotes and extension, if nothing follows it in the sentence. */
function lastSpans({ text }: Sentence, stem: string): readonly Span[] {
  return wordSpans(text, stem).filter(
    ([from, to]) => LEADS_TO.test(text.slice(0, from)) && FOLLOWS_NAME.test(text.slice(to)),
  );
}

function quoteSpans({ text, quotes }: Sentence, values: readonly string[]): readonly Span[] {
  const input = values.map(normal).filter((value) => value.length >= MIN_NAME_LENGTH);
  return [...text.matchAll(MARKS)]
    .filter(([mark]) => input.includes(quotes[indexOfMark(mark)] ?? ''))
    .map(({ index }): Span => [index, index + 1]);
}

const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const LANGUAGES: readonly QuestionLanguage[] = ['en', 'de', 'fr', 'es', 'ru'];
const WORD = /[\p{L}\p{N}\p{M}]/u;

/** A name between word boundaries. A common word is not a name. */
function wordSpans(text: string, value: string): readonly Span[] {
  const name = normal(value);
  const least = SPACELESS.test(name) ? 2 : MIN_NAME_LENGTH;
  const letters = [...name].filter((each) => WORD.test(each));
  return letters.length < least || isStopWord(name, LANGUAGES) ? [] : boundedSpans(text, name);
}

/** Where a text occurs between word boundaries. */
function boundedSpans(text: string, input: string): readonly Span[] {
  // A private-use character marks a quoted part, so no name may contain one.
  if (input.length < 2 || input.search(MARKS) >= 0) return [];
  const spans: Span[] = [];
  for (let at = text.indexOf(input); at >= 0; at = text.indexOf(input, at + 1)) {
    const end = at + input.length;
    const shouldContinue =
      joins(text.slice(0, at).at(-1), input[0] ?? '', text[at - 2]) ||
      joins(text[end], input.at(-1) ?? '', text[end + 1]);
    if (!shouldContinue) spans.push([at, end]);
  }
  return spans;
}

/** Whether a character next to a name belongs to it. Scripts without spaces have no word boundaries. */
function joins(beside: string | undefined, edge: string, beyond: string | undefined): boolean {
  if (beside === undefined) return false;
  if (SPACELESS.test(beside)) return false;
  if (WORD.test(beside)) return !SPACELESS.test(edge);
  if (beside === '.') return beyond !== undefined && WORD.test(beyond);
  return /[_/\\\p{Cf}\p{Cs}-]/u.test(beside);
}

/** Longer than any message. */
const MAX_TEXT_LENGTH = 16_000;

function textSpans(sentence: Sentence, value: string): readonly Span[] {
  if (value.length > MAX_TEXT_LENGTH) return [];
  const input = normal(value.replaceAll(/^[ \t]*(?:#{1,6}|[-*+])[ \t]+/gm, ''));
  return [...quoteSpans(sentence, [input]), ...wordSpans(sentence.text, input)];
}

/** Unambiguous spellings of days and times of day. */
const DATE =
  /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)|(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)|(?<!\d)(\d{4})年(\d{1,2})月(\d{1,2})日/g;
const TIME = /(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])/g;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * A sentence names the times of an event by one or two days, and by two times of day in order, or none for an all-day
 * event. The end of an all-day event is the midnight after its last day.
 */
function namesTime(text: string, claim: Extract<Claim, { readonly kind: 'time' }>): boolean {
  const { value, part, allDay } = claim;
  if (value.offsetMinutes !== null) return false;
  const days = [...text.matchAll(DATE)].map((found) => {
    const [year, month, day] = found[1]
      ? [found[1], found[2], found[3]]
      : found[7]
        ? [found[7], found[8], found[9]]
        : [found[6], found[5], found[4]];
    return Date.UTC(Number(year), Number(month) - 1, Number(day));
  });
  const times = [...text.matchAll(TIME)].map(
    ([, hour, minute]) => (Number(hour) * 60 + Number(minute)) * MINUTE_MS,
  );
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined || days.length > 2) return false;
  if (allDay)
    return times.length === 0 && value.local === (part === 'start' ? first : last + DAY_MS);
  const [from, until] = times;
  if (from === undefined || until === undefined || times.length !== 2) return false;
  return value.local === (part === 'start' ? first + from : last + until);
}

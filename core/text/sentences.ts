import { trimmed, type TextRange } from './code-points.ts';
import { isOwnLine } from './lines.ts';

/**
 * Abbreviations that end with a dot without ending a sentence, in lower case. German and Russian words that may
 * follow an ordinal are in `AFTER_ORDINAL`.
 */
const ABBREVIATIONS = new Set(
  `mr mrs ms dr prof st sr jr hon gen col sgt capt lt cmdr rev gov sen rep pres vs no nos vol fig figs eq ed eds est dept
   inc ltd co corp bros jan feb mar apr jun jul aug sep sept oct nov dec approx ca cf al viz resp op cit pp ch sec art
   bzw usw vgl nr abs str hr fr frl dipl ing geb gest evtl ggf inkl exkl zzgl mio mrd jh jhd bd hrsg sog tel verl
   г гг в вв н э т тт д п пп др пр ул им руб коп тыс млн млрд трлн стр рис табл см напр ред изд проф акад доц чел кв
   корп обл св ст гл греч лат англ нем фр род ум ок итд
   m mm mme mmes mlle mlles me av apr env art chap ex p réf tél
   sra sras srta ud uds vd dra dres pág págs núm tel aprox admón avda`
    .trim()
    .split(/\s+/),
);

/** Only a word of the lists can make this an abbreviation. */
const LOWER_CASE = /^[a-z]+$/;

/** Abbreviations that may also end a sentence: before a capital they do. */
const MAY_END = new Set('etc usw inc ltd corp jr г гг вв руб коп тыс млн млрд др пр'.split(' '));

/** Words after an ordinal with a dot: am 3. Oktober, im 19. Jahrhundert. */
const AFTER_ORDINAL =
  /^(?:\p{Ll}|Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Jh|Jahrtausend|Weltkrieg|Platz|Rang|Kapitel|Mal|Stock|Klasse|Bundesliga|Dynastie)/u;

/**
 * A run of dots is matched only from its first one: trying each would take quadratic time. Footnote marks belong to
 * the sentence before them.
 */
const CANDIDATE =
  /(?<![.!?…])[.!?…]+["'”’»)\]]*(?:\[\p{Nd}{1,4}\])*(?=\s)|[。！？｡][。！？｡…]*[”’」』）"]*|\n[^\S\n]*\n\s*|\n/gu;

/** Shorter lines count as headings, list items or fields if the next line starts anew. */
const SHORT_LINE = 45;

/** The sentences of a text in order, without surrounding white space. Together they contain all of its words. */
export function sentencesOf(text: string): readonly TextRange[] {
  const sentences: TextRange[] = [];
  let start = 0;
  for (const end of [...sentenceEnds(text), text.length]) {
    const sentence = trimmed(text, { start, end });
    if (sentence.end > sentence.start) sentences.push(sentence);
    start = end;
  }
  return sentences;
}

/** UTF-16 indices immediately after each sentence but the last. */
export function sentenceEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (const match of text.matchAll(CANDIDATE)) {
    const end = match.index + match[0].length;
    if (end < text.length && isEnd(text, match[0], match.index, end, ends.at(-1) ?? 0))
      ends.push(end);
  }
  return ends;
}

function isEnd(text: string, mark: string, at: number, end: number, last: number): boolean {
  if (mark.startsWith('\n')) return mark.length > 1 || isLineEnd(text, at, last);
  if (!/^[.…]/.test(mark)) return !continues(text, end);
  if (mark === '.') {
    if (isLeader(text, at, end) || isNumbering(text, at)) return false;
    if (isAbbreviation(text, last, at, text.slice(end, end + 40).trimStart())) return false;
  }
  return !continues(text, end);
}

/** The next text continues the sentence, or closes a quotation after a French space. */
const continues = (text: string, from: number): boolean =>
  /^\s*(?:["'“„«(]*\p{Ll}|»)/u.test(text.slice(from, from + 12));

function isAbbreviation(text: string, from: number, at: number, after: string): boolean {
  const before = text.slice(Math.max(from, at - 60), at);
  // Cut at the last space first, since the pattern is tried from each letter on.
  const tail = before.slice(before.lastIndexOf(' ') + 1);
  const written = /[^\s(«"'“„]*$/u.exec(tail)?.[0] ?? '';
  if (LOWER_CASE.test(written) && !ABBREVIATIONS.has(written) && !MAY_END.has(written))
    return false;
  const capital = /^["'“„«(]*\p{Lu}/u.test(after);
  // Initials, unless a name precedes two of them: J. Smith, but: … signed by Smith J. P. Then …
  if (/^\p{Lu}$/u.test(written))
    return !(capital && /\S\s+\p{Lu}\p{Ll}+\s+\p{Lu}\.\s*\p{Lu}$/u.test(before));
  // Abbreviations with inner dots: z.B., т.е., U.S.
  if (/^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u.test(written))
    return !(capital && !/^\p{Lu}/u.test(written));
  if (/^(?:\d{1,2}|[IVX]{1,5})$/.test(written)) return AFTER_ORDINAL.test(after);
  const word = written.toLowerCase();
  if (MAY_END.has(word) && capital) return /^гг?$/.test(word) && !/\d\s*гг?$/u.test(before);
  return ABBREVIATIONS.has(word);
}

/** Leader dots before a page number in a table of contents. */
const isLeader = (text: string, at: number, end: number): boolean =>
  /^\s*\.(?:\s|\.)/.test(text.slice(end, end + 4)) ||
  /\.\s?$/.test(text.slice(Math.max(0, at - 2), at));

/** The number of a section or a list item: 2. Rent. A next line that starts anew ends it anyway. */
const isNumbering = (text: string, at: number): boolean =>
  /(?:^|\n)[^\S\n]*(?:#{1,6}\s+|[-*•–]\s+)?(?:\d{1,3}\.){0,4}\d{1,3}$/.test(
    (at > 30 ? ' ' : '') + text.slice(Math.max(0, at - 30), at),
  );

/** A single line break ends a sentence if the line is short and the next one starts anew. */
function isLineEnd(text: string, at: number, last: number): boolean {
  const line = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, last), at).trim();
  if (isOwnLine(line) || isOwnLine(lineAt(text, at + 1))) return true;
  const next = text.slice(at + 1, at + 13);
  if (/^\s*(?:[-*•–·▪◦#|]|\d{1,3}[.)])\s/u.test(next)) return true;
  return line.length < SHORT_LINE && !/^\s*["'“„«(]*\p{Ll}/u.test(next) && !/[,\-–:]$/.test(line);
}

/** Length of a line considered, in UTF-16 units. */
const LOOKED_AT = 200;

function lineAt(text: string, from: number): string {
  const [line = ''] = text.slice(from, from + LOOKED_AT).split('\n', 1);
  return line;
}

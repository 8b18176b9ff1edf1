import type { DocType } from '../../ports/objects.ts';
import { CUES } from './doc-type-cues.ts';
import { comparable, cueIndex, type CueIndex } from './cue-index.ts';
import { docTypeOfFile, type FileFacts } from './file-type.ts';

type Tier = 'title' | 'strong' | 'weak';

interface ModelFindings {
  readonly type: DocType;
  readonly tier: Tier;
}

let index: CueIndex<ModelFindings> | undefined;
/** Built with the first text, so that a process that only serves requests starts without it. */
const indexed = (): CueIndex<ModelFindings> =>
  (index ??= cueIndex(
    (Object.entries(CUES) as [DocType, Readonly<Record<Tier, string>>][]).flatMap(([type, cues]) =>
      (['title', 'strong', 'weak'] as const).map(
        (tier) => [cues[tier], { type, tier }] as readonly [string, ModelFindings],
      ),
    ),
  ));

/** Length considered, in UTF-16 units: the type is evident from the beginning of a text. */
const LOOKED_AT = 12_000;
/** Number of lines that may be a title: at the very top, and below a letterhead. */
const TOP = 4;
const UPPER = 12;
const MAX_TITLE_WORDS = 12;
const SHORT = 7;

const WORTH = { top: 6, upper: 4, name: 3, strong: 2.5, weak: 0.8, elsewhere: 0.8 };
/** Minimum score of a type. */
const ENOUGH = 3.3;
/** Minimum score for a spreadsheet, a presentation or a note to get another type. */
const OVERRULING: Partial<Record<DocType, number>> = { spreadsheet: 14, presentation: 20, note: 9 };
const WEAK_NOTE = 2.3;

export interface DocTypeResult {
  readonly docType: DocType;
  /** Confidence: 0 if the text has no evidence. */
  readonly score: number;
}

/** Detects the document type of a text from titles, typical phrases and layout. */
export function docTypeOf(
  text: string,
  file: FileFacts & { readonly pages: number },
): DocTypeResult {
  const byFile = docTypeOfFile(file);
  if (byFile === 'code') return { docType: 'code', score: 0 };
  if (isList(text, file)) return { docType: 'note', score: 0 };
  const head = text.slice(0, LOOKED_AT);
  const scores = scoresOf(head, file);
  addShape(scores, head, text.length, file);
  const [best = 'other', second] = [...scores.keys()].sort(
    (a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0),
  );
  const score = scores.get(best) ?? 0;
  const sure = { docType: best, score: score - (second ? (scores.get(second) ?? 0) / 2 : 0) };
  const overruling = OVERRULING[byFile];
  if (byFile === 'note' && best !== 'meeting_notes') return { docType: 'note', score: 0 };
  if (overruling !== undefined) return score >= overruling ? sure : { docType: byFile, score: 0 };
  if (score >= ENOUGH) return sure;
  if (file.kind === 'email') return { docType: 'letter', score: 0 };
  if (byFile !== 'other') return { docType: byFile, score: 0 };
  if (isJotting(text, file) || (scores.get('note') ?? 0) >= WEAK_NOTE)
    return { docType: 'note', score: 0 };
  return { docType: isProse(head) ? 'article' : 'other', score: 0 };
}

function scoresOf(head: string, { filename }: FileFacts): Map<DocType, number> {
  const best = new Map<string, { type: DocType; worth: number }>();
  const take = (type: DocType, key: string, worth: number): void => {
    const id = `${type} ${key}`;
    if (worth > (best.get(id)?.worth ?? 0)) best.set(id, { type, worth });
  };
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  // A cue may span a line break, so all words are searched together. Titles are matched per line.
  const words: string[] = [];
  const lineOf: number[] = [];
  const lengths: number[] = [];
  lines.forEach((line, i) => {
    const own = comparable(line);
    lengths.push(own.length);
    for (const word of own) {
      words.push(word);
      lineOf.push(i);
    }
  });
  const asTitle = (at: number): number => {
    const line = lineOf[at] ?? 0;
    const first = at === 0 || lineOf[at - 1] !== line;
    const length = lengths[line] ?? 0;
    // In a long line only the beginning can be a title; the rest may merely mention the type.
    const names = length <= SHORT || (first && length <= MAX_TITLE_WORDS);
    if (line >= UPPER || !names) return WORTH.elsewhere;
    return (line < TOP ? WORTH.top : WORTH.upper) + (first ? 1 : 0);
  };
  const cues = indexed();
  cues.match(words, ({ type, tier }, key, at) =>
    take(type, tier === 'title' ? 'title' : key, tier === 'title' ? asTitle(at) : WORTH[tier]),
  );
  const name = comparable(filename.replaceAll(/[_\-.]+/g, ' '));
  cues.match(name, ({ type, tier }) => tier === 'title' && take(type, 'name', WORTH.name));
  for (const { text, value } of cues.spaceless) {
    const at = head.indexOf(text);
    if (at < 0) continue;
    const worth =
      value.tier !== 'title' ? WORTH[value.tier] : at < 80 ? WORTH.top : WORTH.elsewhere;
    take(value.type, value.tier === 'title' ? 'title' : text, worth);
  }
  const scores = new Map<DocType, number>();
  for (const { type, worth } of best.values()) scores.set(type, (scores.get(type) ?? 0) + worth);
  return scores;
}

const BLANK = /_{4,}|\.{10,}|[☐□❏]|(?<!- )\[ ?\]|«_+»/g;
const MACHINE_READABLE = /[A-Z0-9]<[A-Z]*<<?[A-Z0-9<]{8,}/;
const TASK = /^\s*[-*] \[[ x]\]/gm;
const SALUTATION =
  /^(?:dear|hello|hi|здравствуйте|уважаем|добрый день|дорог|привет|sehr geehrte|liebe|chère?|madame|monsieur|estimad|querid)[^\n]{0,60}[,!]\s*$/imu;
const CLOSING =
  /^(?:warmly|sincerely|yours|love|kind|best|regards|cheers|всего доброго|с уважением|с наилучшими|искренне|mit freundlichen|liebe grüße|cordialement|atentamente|un saludo)[^\n]{0,30}$/imu;
const DUTY = /(?<!\p{L})(?:must|shall not|may not|обязан\p{L}*|запрещ\p{L}*)(?!\p{L})/giu;
const CHAPTERS = /^\s*(?:chapter|глава|kapitel|chapitre|cap[ií]tulo)\s+\S{1,12}/gimu;

/** Evidence from the layout of a page. */
function addShape(
  scores: Map<DocType, number>,
  head: string,
  length: number,
  { pages, kind, format }: FileFacts & { readonly pages: number },
): void {
  const add = (type: DocType, worth: number) => scores.set(type, (scores.get(type) ?? 0) + worth);
  const count = (pattern: RegExp) => head.match(pattern)?.length ?? 0;
  const blanks = count(BLANK);
  if (blanks >= 3) add('form', blanks >= 5 ? 6 : 4);
  if (MACHINE_READABLE.test(head)) add('id_document', 8);
  if (count(TASK) >= 2) add('note', 4);
  if (SALUTATION.test(head)) add('letter', 2);
  if (CLOSING.test(head)) add('letter', 1.5);
  if (count(DUTY) >= 2) add('policy', 1.5);
  const chapters = count(CHAPTERS);
  if (chapters >= 2) add('book', Math.min(chapters, 4));
  if (format === 'epub') add('book', 6);
  if (pages >= 80) add('book', 3);
  if (kind === 'email') add('letter', 1.5);
  if (kind === 'pdf' && pages >= 6 && length / pages < 450) add('presentation', 4.5);
}

const JOTTING = 700;
/** One or two lines. */
const BRIEF = 250;

/** Only a short list. */
function isList(text: string, file: FileFacts): boolean {
  const { lines, items } = jotted(text, file);
  return lines >= 2 && items === lines;
}

/** A short text that is mostly a list, or has hardly any words. */
function isJotting(text: string, file: FileFacts): boolean {
  const { lines, items } = jotted(text, file);
  return lines > 0 && ((lines <= 2 && text.length < BRIEF) || items * 2 >= lines);
}

function jotted(
  text: string,
  { kind, format }: FileFacts,
): { readonly lines: number; readonly items: number } {
  if (kind !== 'text' || !['txt', 'md'].includes(format) || text.length > JOTTING)
    return { lines: 0, items: 0 };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return { lines: lines.length, items: lines.filter((line) => /^\s*[-*•+] /.test(line)).length };
}

/** Paragraphs of whole sentences that make up most of the text. */
function isProse(head: string): boolean {
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  const paragraphs = lines.filter((line) => line.length > 70 && /[.!?…»"”]\s*$/.test(line));
  const inside = paragraphs.reduce((sum, line) => sum + line.length, 0);
  const sentences = head.match(/[.!?…](?=\s|$)/g)?.length ?? 0;
  const all = lines.reduce((sum, line) => sum + line.length, 0);
  return paragraphs.length >= 2 && sentences >= 4 && inside * 10 >= all * 7;
}

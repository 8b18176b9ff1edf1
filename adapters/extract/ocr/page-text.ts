import type { PlacedWord } from '../../../ports/word-places.ts';
import { normalizeText } from '../readers/text-normalization.ts';
import type { Line } from '../readers/pdf-lines.ts';
import { paragraphsOf, wordsOf } from '../readers/pdf-paragraphs.ts';

interface Word {
  readonly paragraph: string;
  readonly line: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** 0 to 100. */
  readonly confidence: number;
  readonly text: string;
}

/** A word below this confidence is noise. */
const WORD_CONFIDENCE = 35;
/** Minimum mean confidence of lines and pages, per character: textures and images are below. */
const LINE_CONFIDENCE = 60;
const PAGE_CONFIDENCE = 65;
/** Minimum number of letters and digits of a page. */
const FEWEST = 3;

/**
 * The text of a page from tesseract's table of words, '' if there is none. A word, a line or a page with low
 * confidence is most likely an image in which tesseract saw letters.
 */
export function pageTextOf(tsv: string): string {
  const laid = laidOut(pageLinesOf(tsv));
  return normalizeText(paragraphsOf(laid, wordsOf(laid)));
}

/** The same words, in fractions of a page of this size. */
export const pageWordsOf = (tsv: string, width: number, height: number): readonly PlacedWord[] =>
  pageLinesOf(tsv)
    .flat()
    .map(({ text, left, right, top, bottom }) => ({
      text,
      left: left / width,
      top: top / height,
      width: (right - left) / width,
      height: (bottom - top) / height,
    }));

function pageLinesOf(tsv: string): readonly (readonly Word[])[] {
  const lines = linesOf(wordsIn(tsv).filter((word) => word.confidence >= WORD_CONFIDENCE)).filter(
    (words) => certainty(words) >= LINE_CONFIDENCE && letters(words) > 0,
  );
  const all = lines.flat();
  return letters(all) < FEWEST || certainty(all) < PAGE_CONFIDENCE ? [] : lines;
}

/** Level 5 of the table is a word: level, page, block, paragraph, line, word, left, top, width, height, conf, text. */
function wordsIn(tsv: string): Word[] {
  const words: Word[] = [];
  for (const row of tsv.split('\n')) {
    const [level, , block, paragraph, line, , left, top, width, height, confidence, text = ''] =
      row.split('\t');
    if (level !== '5' || text.trim() === '') continue;
    words.push({
      paragraph: `${block}/${paragraph}`,
      line: `${block}/${paragraph}/${line}`,
      left: Number(left),
      right: Number(left) + Number(width),
      top: Number(top),
      bottom: Number(top) + Number(height),
      confidence: Number(confidence),
      text: text.trim(),
    });
  }
  return words;
}

function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line?.[0]?.line === word.line) line.push(word);
    else lines.push([word]);
  }
  return lines;
}

function certainty(words: readonly Word[]): number {
  let [sum, length] = [0, 0];
  for (const { confidence, text } of words) {
    sum += confidence * text.length;
    length += text.length;
  }
  return length === 0 ? 0 : sum / length;
}

const letters = (words: readonly Word[]): number =>
  words.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);

const LINE = 10;
const LEADING = 12;
const APART = 40;

/** The lines like those of a text page: tesseract has separated the paragraphs already. */
function laidOut(lines: readonly (readonly Word[])[]): Line[] {
  let y = 0;
  return lines.map((words, i) => {
    const [first, last] = [words[0]!, words.at(-1)!];
    y += lines[i - 1]?.[0]?.paragraph === first.paragraph ? LEADING : APART;
    return {
      text: joined(words),
      left: first.left,
      right: last.right,
      y,
      size: LINE,
      upright: true,
    };
  });
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}　-〿＀-￯]/u;

/** Chinese and Japanese are written without spaces, regardless of tesseract's segmentation. */
function joined(words: readonly Word[]): string {
  let text = '';
  for (const { text: word } of words) {
    const close = WIDE.test(text.at(-1) ?? '') && WIDE.test(word[0] ?? '');
    text += text === '' || close ? word : ` ${word}`;
  }
  return text;
}

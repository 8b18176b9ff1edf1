import type { PlacedWord } from '../../../ports/word-places.ts';
import { openPdf } from '../readers/pdf.ts';
import type { TextItem } from '../readers/pdf-lines.ts';
import { MAX_WORDS } from './places-protocol.ts';

/** Of the size of a font: how far its letters reach above and below the baseline. */
const ASCENT = 0.85;
const DESCENT = 0.2;

interface Viewport {
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** The words in the text layer of a page, in drawing order; none if there is no such page. */
export async function pdfWordsOn(bytes: Uint8Array, number: number): Promise<PlacedWord[]> {
  const pdf = await openPdf(bytes);
  try {
    if (number > pdf.numPages) return [];
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const viewport = page.getViewport({ scale: 1 });
    const words: PlacedWord[] = [];
    for (const item of items as TextItem[]) {
      if (words.length >= MAX_WORDS) break;
      words.push(...wordsOf(item, viewport));
    }
    return words.slice(0, MAX_WORDS);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** The words of a text run. pdf.js knows the width of the whole run only, so it is divided by typical widths of letters. */
function* wordsOf(item: TextItem, viewport: Viewport): Generator<PlacedWord> {
  const { str = '' } = item;
  const total = widthOf(str);
  if (total === 0) return;
  for (const { 0: text, index } of str.matchAll(/\S+/gu)) {
    const start = widthOf(str.slice(0, index)) / total;
    const end = start + widthOf(text) / total;
    yield { text, ...boxOf(item, viewport, start, end) };
  }
}

function widthOf(text: string): number {
  let width = 0;
  for (const letter of text)
    width += /[ijlI.,:;'|!\s]/u.test(letter) ? 0.5 : /[mwMWЖШЩЮшщюж]/u.test(letter) ? 1.5 : 1;
  return width;
}

/** The box around the part of a run, as displayed: runs and pages may be rotated. */
function boxOf(
  { transform, width, height }: TextItem,
  viewport: Viewport,
  start: number,
  end: number,
): Omit<PlacedWord, 'text'> {
  const [a, b, c, d, e, f] = transform as [number, number, number, number, number, number];
  const size = height || Math.hypot(c, d);
  const along = unit(a, b);
  const up = unit(c, d);
  const [va, vb, vc, vd, ve, vf] = viewport.transform as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const corners = [start, end].flatMap((share) =>
    [-DESCENT, ASCENT].map((rise) => {
      const x = e + along.x * width * share + up.x * size * rise;
      const y = f + along.y * width * share + up.y * size * rise;
      return { x: x * va + y * vc + ve, y: x * vb + y * vd + vf };
    }),
  );
  const xs = corners.map(({ x }) => x / viewport.width);
  const ys = corners.map(({ y }) => y / viewport.height);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

function unit(x: number, y: number): { readonly x: number; readonly y: number } {
  const length = Math.hypot(x, y) || 1;
  return { x: x / length, y: y / length };
}

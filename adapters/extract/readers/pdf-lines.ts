import { superscript } from './text-normalization.ts';

/** A text run as reported by pdf.js. */
export interface TextItem {
  readonly str?: string;
  /** Text space to page space: a, b, c, d, e, f (ISO 32000-1 §8.3.3). */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
}

/** A line of a page, in points from its upper left corner as displayed. */
export interface Line {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Position of the baseline, increasing downwards. */
  readonly y: number;
  readonly size: number;
  /** Runs from left to right, not vertically along the margin. */
  readonly upright: boolean;
}

interface Placed {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly upright: boolean;
}

/** The lines of a page in drawing order, which is nearly always the reading order. */
export function linesOf(items: readonly TextItem[], viewport: readonly number[]): Line[] {
  const lines: Line[] = [];
  let run: Placed[] = [];
  const end = (): void => {
    const line = lineOf(run);
    if (line) lines.push(line);
    run = [];
  };
  for (const item of items) {
    if (item.str === undefined) continue;
    const last = run.at(-1);
    const placed = place(item, viewport);
    if (last && item.str !== '' && leavesLine(last, placed)) end();
    if (item.str !== '') run.push(placed);
    if (item.hasEOL) end();
  }
  end();
  return lines;
}

function place({ str, transform, width, height }: TextItem, v: readonly number[]): Placed {
  const [a, b, , , e, f] = transform as [number, number, number, number, number, number];
  const [va, vb, vc, vd, ve, vf] = v as [number, number, number, number, number, number];
  const right = a * va + b * vc;
  const down = a * vb + b * vd;
  return {
    text: str ?? '',
    x: e * va + f * vc + ve,
    y: e * vb + f * vd + vf,
    width,
    size: height || Math.hypot(a, b),
    upright: right > 0 && Math.abs(down) < right / 10,
  };
}

/** pdf.js marks most line ends, but not a jump to another column or cell. */
const leavesLine = (last: Placed, next: Placed): boolean =>
  Math.abs(next.y - last.y) > Math.max(last.size, next.size) * 0.8;

function lineOf(run: readonly Placed[]): Line | undefined {
  const drawn = run.filter(({ text }) => /\S/.test(text));
  if (drawn.length === 0) return undefined;
  let [size, left, right] = [0, Infinity, -Infinity];
  for (const item of drawn) {
    size = Math.max(size, item.size);
    left = Math.min(left, item.x);
    right = Math.max(right, item.x + item.width);
  }
  const main = drawn.find((item) => item.size > size * 0.9) ?? drawn[0]!;
  const text = run.map((item) => raised(item, main)).join('');
  return {
    text: text.replace(/\s+/gu, ' ').trim(),
    left,
    right,
    y: main.y,
    size,
    upright: main.upright,
  };
}

/** Small raised digits are note marks and powers; joined they would be misread, as in `sold.3`. */
const raised = (item: Placed, main: Placed): string =>
  item.size < main.size * 0.8 &&
  main.y - item.y > main.size * 0.15 &&
  /^\d+$/.test(item.text.trim())
    ? superscript(item.text.trim())
    : item.text;

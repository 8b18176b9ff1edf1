import type { Citation } from './exchange.ts';

export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly isUnsourced: boolean }
  | { readonly kind: 'chip'; readonly citation: Citation };

/** A paragraph, or an item of a list. */
export interface Block {
  readonly isItem: boolean;
  readonly pieces: readonly Piece[];
}

export interface ReadingOptions {
  /** While it is written, a marker whose citation has not come yet is left out. */
  readonly isWriting: boolean;
  /** Whether sentences without a citation are marked: those of a model, not those of the documents. */
  readonly marksUnsourced: boolean;
  readonly language: string;
}

const MARKER = /\[(\d{1,3})\]/g;
const UNFINISHED_MARKER = /\s*\[\d{0,3}$/;
const ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/;

/** An answer as it is shown. Everything in it is text: markup of a model stays what it was written as. */
export function blocksOf(
  text: string,
  citations: readonly Citation[],
  options: ReadingOptions,
): readonly Block[] {
  const known = new Map(citations.map((citation) => [citation.index, citation]));
  const shown = options.isWriting ? text.replace(UNFINISHED_MARKER, '') : text;
  return shown
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => ({
      isItem: ITEM.test(line),
      pieces: piecesOf(line.replace(ITEM, ''), known, options),
    }));
}

interface Placed {
  readonly at: number;
  readonly citation: Citation;
}

function piecesOf(
  line: string,
  known: ReadonlyMap<number, Citation>,
  { isWriting, marksUnsourced, language }: ReadingOptions,
): readonly Piece[] {
  const chips: Placed[] = [];
  let plain = '';
  let from = 0;
  for (const marker of line.matchAll(MARKER)) {
    const citation = known.get(Number(marker[1]));
    // A number in brackets that no citation has is a part of the text.
    if (!citation && !isWriting) continue;
    plain += line.slice(from, marker.index);
    from = marker.index + marker[0].length;
    if (citation) chips.push({ at: plain.length, citation });
  }
  plain += line.slice(from);
  const unsourced = marksUnsourced ? unsourcedRanges(plain, chips, language) : [];
  return cut(plain, chips, unsourced);
}

type Range = readonly [start: number, end: number];

/** Runs of sentences without a citation. A marker after a sentence belongs to it, not to the next one. */
function unsourcedRanges(text: string, chips: readonly Placed[], language: string): Range[] {
  const ranges: Range[] = [];
  const anchors = chips.map(({ at }) => text.slice(0, at).trimEnd().length - 1);
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text);
  for (const { segment, index } of sentences) {
    const end = index + segment.length;
    if (!/\p{L}/u.test(segment) || anchors.some((at) => at >= index && at < end)) continue;
    const before = ranges.at(-1);
    if (before?.[1] === index) ranges[ranges.length - 1] = [before[0], end];
    else ranges.push([index, end]);
  }
  return ranges.map(([start, end]) => [start, start + text.slice(start, end).trimEnd().length]);
}

function cut(text: string, chips: readonly Placed[], unsourced: readonly Range[]): Piece[] {
  const edges = [0, text.length, ...chips.map(({ at }) => at), ...unsourced.flat()];
  const bounds = [...new Set(edges)].sort((a, b) => a - b);
  return bounds.flatMap((start, nth) => {
    const part = text.slice(start, bounds[nth + 1] ?? start);
    const isUnsourced = unsourced.some(([first, end]) => start >= first && start < end);
    return [
      ...chips.filter(({ at }) => at === start).map(({ citation }) => chip(citation)),
      ...(part === '' ? [] : [{ kind: 'text' as const, text: part, isUnsourced }]),
    ];
  });
}

const chip = (citation: Citation): Piece => ({ kind: 'chip', citation });

/** The answer without its markers, for the clipboard and for announcements. */
export const withoutMarkers = (text: string): string => text.replace(/\s*\[\d{1,3}\]/g, '');

import type { OwnerBlobs } from '../../ports/blobs.ts';
import type { PageSpan } from '../../ports/text-extraction.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { PlacedWord, WordPlaces } from '../../ports/word-places.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { findVisible } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound, unavailable } from '../shared/common-errors.ts';
import { InvalidInput } from '../shared/errors.ts';
import { expectedOf } from '../shared/expected-content.ts';
import type { Slots } from '../shared/slots.ts';
import { codePointLength } from '../text/index.ts';
import { alignWords } from './align-words.ts';

export interface TextPlacesDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'texts' | 'pinLock'>;
  readonly blobs: OwnerBlobs;
  readonly slots: Slots;
  readonly wordPlaces: WordPlaces;
}

/** Left, top, width and height in fractions of the page as displayed. */
export type Box = readonly [x: number, y: number, w: number, h: number];

export interface TextPlaces {
  /** Null if the text has no places. */
  readonly page: number | null;
  readonly boxes: readonly Box[];
}

const NONE: TextPlaces = { page: null, boxes: [] };
/** Code points. */
export const MAX_RANGE_LENGTH = 10_000;
const MAX_BOXES = 1_000;
/** Pages of one owner that are read at once, in one process. */
const MAX_AT_ONCE = 4;
const RETRY_SECONDS = 2;

/**
 * Where a range of an object's text is drawn on the page of its start. Read from the file on request. A correction, and
 * kinds other than PDF and image, have no places.
 */
export async function textPlaces(
  deps: TextPlacesDeps,
  caller: Caller,
  id: string,
  range: { readonly charStart: number; readonly charEnd: number },
): Promise<TextPlaces> {
  const { object, text, correction } = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const found = await findVisible(stores, zone, id);
    return { object: found, ...(await stores.texts.find(id)) };
  });
  const current = correction ?? text;
  if (!current) throw notFound();
  requireRange(range, codePointLength(current.text));
  // A newer content is being read: the text is of an earlier one.
  if (correction || !text || text.version !== object.version) return NONE;
  if (object.kind !== 'pdf' && object.kind !== 'image') return NONE;
  const span = text.pages.find(({ charEnd }) => range.charStart < charEnd);
  if (!span) return NONE;
  const release = deps.slots([{ name: `places ${caller.scope.ownerId}`, max: MAX_AT_ONCE }]);
  if (!release) throw unavailable({}, RETRY_SECONDS);
  try {
    const request = {
      filename: object.filename,
      type: { kind: object.kind, mime: object.mime, format: object.format },
      size: object.size,
      open: () => deps.blobs.read(object.blobId, undefined, expectedOf(object)),
    };
    const words = await deps.wordPlaces.wordsOn(request, span.page, text.source === 'ocr');
    return { page: span.page, boxes: boxesIn(text.text, span, range, words) };
  } finally {
    release();
  }
}

function requireRange(
  { charStart, charEnd }: { readonly charStart: number; readonly charEnd: number },
  length: number,
): void {
  if (charEnd > length)
    throw new InvalidInput('query', 'char_end', `The text has ${length} characters.`);
  if (charStart >= charEnd)
    throw new InvalidInput('query', 'char_start', 'It must be less than char_end.');
  if (charEnd - charStart > MAX_RANGE_LENGTH)
    throw new InvalidInput('query', 'char_end', `At most ${MAX_RANGE_LENGTH} after char_start.`);
}

function boxesIn(
  text: string,
  span: PageSpan,
  { charStart, charEnd }: { readonly charStart: number; readonly charEnd: number },
  words: readonly PlacedWord[],
): readonly Box[] {
  const page = Array.from(text).slice(span.charStart, span.charEnd).join('');
  const [start, end] = [charStart - span.charStart, charEnd - span.charStart];
  const inRange = alignWords(page, words).filter((each) => each.start < end && each.end > start);
  return mergeLines(inRange.map(({ word }) => word)).slice(0, MAX_BOXES);
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** One box for the words that follow one another on a line. */
export function mergeLines(words: readonly PlacedWord[]): readonly Box[] {
  const lines: Edges[] = [];
  for (const { left, top, width, height } of words) {
    const next = { left, top, right: left + width, bottom: top + height };
    const last = lines.at(-1);
    if (last && isOnLine(last, next)) lines[lines.length - 1] = around(last, next);
    else lines.push(next);
  }
  return lines.map(toBox);
}

/** They overlap vertically by half of the lower one, and the next word does not begin a column to the left. */
function isOnLine(last: Edges, next: Edges): boolean {
  const shared = Math.min(last.bottom, next.bottom) - Math.max(last.top, next.top);
  const lower = Math.min(last.bottom - last.top, next.bottom - next.top);
  return shared >= lower / 2 && next.right >= last.left;
}

const around = (one: Edges, other: Edges): Edges => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
});

/** Parts outside the page are cut off. */
function toBox({ left, top, right, bottom }: Edges): Box {
  const [x, y] = [fraction(left), fraction(top)];
  return [x, y, fraction(fraction(right) - x), fraction(fraction(bottom) - y)];
}

const fraction = (value: number): number =>
  Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;

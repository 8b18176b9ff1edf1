import type { StoredObject } from '../../ports/objects.ts';
import {
  TERM_GAP,
  MAX_PASSAGES,
  type IndexedPassage,
  type SearchEntry,
  type SearchIndex,
} from '../../ports/search.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { WriteSize } from '../../ports/unit-of-work.ts';
import { passagesOf, termsOf } from '../text/index.ts';

/** An object's text, prepared for the index. */
export type IndexedText = readonly IndexedPassage[];

const ANALYSED_A_SLICE = 16;
/** Storing this many takes a few milliseconds. */
const FEW_PASSAGES = 30;
/** Length of a title considered, in UTF-16 units. */
const MAX_TITLE_LENGTH = 1_000;

/**
 * Prepares a text for `SearchIndex.put`. Takes about a second for five million characters, in slices of a few
 * milliseconds, so it belongs before the unit of work, not inside.
 *
 * @param language ISO 639-1 of the text, '' if unknown.
 */
export async function indexText(
  scheduler: Scheduler,
  text: string,
  language: string,
): Promise<IndexedText> {
  const passages: IndexedPassage[] = [];
  for await (const span of passagesOf(text, scheduler)) {
    if (passages.length === MAX_PASSAGES) break;
    passages.push({ ...span, terms: termsOf(span.text, language) });
    if (passages.length % ANALYSED_A_SLICE === 0) await scheduler.yield();
  }
  return passages;
}

/** Kind of unit of work that stores the text. */
export const sizeOf = (indexed: IndexedText | undefined): WriteSize =>
  (indexed?.length ?? 0) > FEW_PASSAGES ? 'large' : 'small';

/**
 * Updates the names and location of an object in the index. Required with every change of an object.
 *
 * @param before The object as last indexed, if known: then only differences are written.
 */
export async function indexObjectMetadata(
  search: SearchIndex,
  object: StoredObject,
  before?: StoredObject,
): Promise<void> {
  if (!before || isExcluded(object, before))
    await search.place({ ...entryOf(object), head: titleTerms(object) });
  else if (object.filename !== before.filename || object.title !== before.title)
    await search.rename(object.id, entryOf(object).zone, titleTerms(object));
}

/** Metadata of an object besides its names. */
function entryOf(object: StoredObject): Omit<SearchEntry, 'head'> {
  const { id: objectId, kind, docType, collectionId, createdAt } = object;
  const zone = object.deletedAt !== null ? 'excluded' : object.isHidden ? 'hidden' : 'visible';
  return { objectId, zone, kind, docType, collectionId, createdAt };
}

function isExcluded(object: StoredObject, before: StoredObject): boolean {
  const [now, then] = [entryOf(object), entryOf(before)];
  return (Object.keys(now) as (keyof typeof now)[]).some((fact) => now[fact] !== then[fact]);
}

/** The terms of an object's names. Compound parts of a file name are indexed separately as well. */
export function titleTerms({
  filename,
  title,
}: Pick<StoredObject, 'filename' | 'title'>): readonly string[] {
  const parts = filename.replace(/(\p{Ll})(?=\p{Lu})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$& ');
  const names = [filename, title.slice(0, MAX_TITLE_LENGTH), parts === filename ? '' : parts];
  return names
    .filter((name) => name !== '')
    .flatMap((name, i) => (i ? [TERM_GAP, ...termsOf(name, '')] : termsOf(name, '')));
}

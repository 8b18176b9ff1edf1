import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { findEvidence } from './answer.ts';
import type { OfferedPassage } from './citing.ts';
import { inScope } from './coverage.ts';

/** Passages that named files begin with, all files together. */
const BEGINNINGS = 24;
/** A model finds in other words what was asked for, so less of the question has to be there. */
const PART = 0.2;

/**
 * What a model is to answer from, best first: what deals with the question, and of files that were named what they
 * begin with as well, for a question may be about the whole of them.
 */
export async function passagesFor(
  stores: Pick<Stores, 'search' | 'objects'>,
  question: string,
  filter: SearchFilter,
): Promise<readonly OfferedPassage[]> {
  const { texts } = await findEvidence(stores, question, filter, PART);
  const found: Placed[] = texts.map(({ passage }) => passage);
  const known = new Set(found.map(placeOf));
  for (const passage of await beginnings(stores, filter))
    if (!known.has(placeOf(passage))) found.push(passage);
  return offered(stores, found);
}

type Placed = OfferedPassage['passage'];

const placeOf = ({ objectId, ord }: Placed): string => `${objectId} ${ord}`;

async function beginnings(
  { search, objects }: Pick<Stores, 'search' | 'objects'>,
  { objectIds = [], ...filter }: SearchFilter,
): Promise<readonly Placed[]> {
  const known = new Map((await objects.findMany(objectIds)).map((object) => [object.id, object]));
  const named = objectIds.filter((id) => {
    const object = known.get(id);
    return object !== undefined && inScope(object, filter);
  });
  const each = Math.max(1, Math.floor(BEGINNINGS / Math.max(1, named.length)));
  const passages: Placed[] = [];
  for (const objectId of named.slice(0, BEGINNINGS))
    for (const { ord, charStart, charEnd, text } of await search.passagesOf(objectId, 0, each))
      passages.push({ objectId, ord, charStart, charEnd, text });
  return passages;
}

/** Passages with what is known of their objects; those of objects that are gone are left out. */
export async function offered(
  { objects }: Pick<Stores, 'objects'>,
  passages: readonly Placed[],
): Promise<readonly OfferedPassage[]> {
  const ids = [...new Set(passages.map(({ objectId }) => objectId))];
  const known = new Map((await objects.findMany(ids)).map((object) => [object.id, object]));
  return passages.flatMap((passage) => {
    const object = known.get(passage.objectId);
    if (!object) return [];
    const { docType, filename, title } = object;
    return [{ passage, docType, filename, title }];
  });
}

import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { findEvidence } from './answer.ts';
import type { PromptPassage } from './citation-stream.ts';
import { inScope } from './coverage.ts';
import { citedSources, sourceOfPassage } from './sources.ts';

/** Maximum number of first passages of named files, over all files. */
const BEGINNINGS = 24;
/** A model recognises paraphrases, so it gets passages with a weaker match. */
const PART = 0.2;

/**
 * Passages for the model's prompt, best first: those that match the question, and the beginnings of named files,
 * since a question may be about a file as a whole.
 */
export async function passagesForModel(
  stores: Pick<Stores, 'search' | 'objects' | 'texts'>,
  question: string,
  filter: SearchFilter,
): Promise<readonly PromptPassage[]> {
  const { texts } = await findEvidence(stores, question, filter, PART);
  const found: Placed[] = texts.map(({ passage }) => passage);
  const known = new Set(found.map(placeOf));
  for (const passage of await beginnings(stores, filter))
    if (!known.has(placeOf(passage))) found.push(passage);
  return withObjectMetadata(stores, found);
}

type Placed = PromptPassage['passage'];

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

/** Passages with the metadata of their objects. Passages of deleted objects are dropped. */
export async function withObjectMetadata(
  stores: Pick<Stores, 'objects' | 'texts'>,
  passages: readonly Placed[],
): Promise<readonly PromptPassage[]> {
  const sources = await citedSources(
    stores,
    passages.map(({ objectId }) => objectId),
  );
  return passages.flatMap((passage) => {
    const source = sources.get(passage.objectId);
    return source ? [{ passage, ...sourceOfPassage(source, passage) }] : [];
  });
}

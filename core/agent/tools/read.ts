import type { StoredObject } from '../../../ports/objects.ts';
import type { SearchIndex, TextSpan } from '../../../ports/search.ts';
import { withObjectMetadata } from '../../answers/index.ts';
import { zoneFor } from '../../hidden-zone/index.ts';
import { findVisible, viewOf, type ObjectView } from '../../objects/index.ts';
import { requireInSession } from '../session-scope.ts';
import { line, listing, type Tool } from '../tool.ts';

/** More passages than a result can hold. */
const PASSAGES = 24;

export const readTool: Tool<'read_object'> = {
  toolset: 'objects',
  scope: 'read',
  effect: 'read',
  result: 'untrusted',
  description:
    'Reads one object: what is known of it, and its text from a character on, in passages under numbers to cite. The result says where to go on.',
  run: async (deps, work, { objectId, offset }) => {
    const { view, passages } = await deps.uow.read(work.caller.scope, async (stores) => {
      const zone = await zoneFor(deps, stores.pinLock, work.caller);
      const object = requireInSession(work, await findVisible(stores, zone, objectId));
      const found = await passagesFrom(stores.search, object, offset);
      const passages = await withObjectMetadata(
        stores,
        found.map((passage) => ({ ...passage, objectId })),
      );
      return { view: await viewOf(stores, object), passages };
    });
    const { filename } = view.object;
    const facts = factsOf(view);
    const { shown } = listing([facts, ...passages.map(({ passage }) => `[999]\n${passage.text}`)]);
    const read = passages.slice(0, shown - 1);
    const texts = read.map((each) => `[${work.offering.offer(each)}]\n${each.passage.text}`);
    const next = passages[read.length]?.passage;
    const place = read.length === 0 ? nothingRead(view, offset) : goOn(next);
    return {
      result: [facts, ...texts, place].join('\n\n'),
      summary: line(`Read ${filename}${offset === 0 ? '' : ` from character ${offset}`}`),
      touched: [{ objectId, filename }],
      documentText: [facts, texts.join(' ')],
    };
  },
};

/** Objects in the trash are never part of an answer, so their text is not shown. */
async function passagesFrom(search: SearchIndex, object: StoredObject, offset: number) {
  if (object.deletedAt !== null) return [];
  return search.passagesOf(object.id, await placeOf(search, object.id, offset), PASSAGES);
}

/** Index of the passage that contains a character, or of the next one. A passage has at least one character. */
async function placeOf(search: SearchIndex, objectId: string, offset: number): Promise<number> {
  let [low, high] = [0, offset];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [passage] = await search.passagesOf(objectId, middle, 1);
    if (passage && passage.charEnd <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function factsOf({ object, collectionName }: ObjectView): string {
  const { id, filename, title, kind, docType, collectionId, createdAt, summary } = object;
  const facts = [
    `Object ${id}: ${filename}`,
    title === '' ? '' : `Title: ${title}`,
    `Kind: ${kind}, ${docType}; here since ${new Date(createdAt).toISOString().slice(0, 10)}`,
    collectionId === null ? 'In no folder' : `In folder ${collectionId} ${collectionName}`,
    object.deletedAt === null ? '' : 'It lies in the trash.',
    summary === '' || object.deletedAt !== null ? '' : `Summary: ${summary}`,
  ];
  return facts.filter((fact) => fact !== '').join('\n');
}

const goOn = (next: TextSpan | undefined): string =>
  next ? `To go on, read from offset ${next.charStart}.` : 'This is the end of the text.';

function nothingRead({ object }: ObjectView, offset: number): string {
  if (object.deletedAt !== null) return 'Only the owner can restore it; until then it is not read.';
  if (offset > 0) return 'There is no text from there on.';
  return object.status === 'pending' || object.status === 'processing'
    ? 'Its text is still being read. It may be there in a minute.'
    : 'It has no text.';
}

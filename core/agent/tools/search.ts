import { searchObjects, type SearchHit } from '../../objects/index.ts';
import type { ShownPassages } from '../shown-passages.ts';
import { line, listing, type Tool } from '../tool.ts';

export const searchTool: Tool<'search_objects'> = {
  toolset: 'objects',
  effect: 'read',
  result: 'untrusted',
  description:
    'Finds the documents, notes and other objects of the owner by their text and names, best first. Each comes with its id and its best passage under a number to cite.',
  run: async (deps, work, { query, limit, docType, kind }) => {
    const { items, total } = await searchObjects(deps, work.caller, {
      q: query,
      limit,
      offset: 0,
      includeHidden: work.zone === 'open',
      ...(docType !== undefined && { docType }),
      ...(kind !== undefined && { kind }),
      ...(work.collectionId !== null && { collectionId: work.collectionId }),
    });
    if (items.length === 0)
      return {
        result: 'Nothing was found. Other words may find it, or a part of them.',
        summary: line(`Searched for “${query}”: nothing found`),
        documentText: [],
      };
    const { shown } = listing(items.map((hit) => entry(hit, 99)));
    const seen = items.slice(0, shown);
    const entries = seen.map((hit) => entry(hit, numberOf(work.offering, hit)));
    const names = seen.map(({ view }) => view.object.filename);
    return {
      result: `${total} found, the best ${shown}:\n\n${entries.join('\n\n')}`,
      summary: line(`Searched for “${query}”: ${total} found, ${names.join(', ')}`),
      found: seen.map(({ view }) => view.object.id),
      documentText: entries,
    };
  },
};

function numberOf(offering: ShownPassages, { view, passage }: SearchHit): number | null {
  const { id: objectId, docType, filename, title } = view.object;
  return passage && offering.offer({ passage: { ...passage, objectId }, docType, filename, title });
}

function entry({ view, passage }: SearchHit, number: number | null): string {
  const { object, collectionName } = view;
  const folder =
    object.collectionId === null ? '' : `, in folder ${object.collectionId} ${collectionName}`;
  const title = object.title === '' ? '' : ` “${object.title}”`;
  const head = `Object ${object.id}: ${object.filename}${title} (${object.docType}${folder})`;
  if (!passage || number === null) return `${head}\nIt has no text.`;
  return `${head}\n[${number}] from character ${passage.charStart}\n${passage.text}`;
}

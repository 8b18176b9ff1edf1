import { sourceOfPassage, citedSources, type CitedSource } from '../../answers/index.ts';
import { searchObjects, type SearchHit } from '../../objects/index.ts';
import type { ShownPassages } from '../shown-passages.ts';
import { line, listing, type Tool } from '../tool.ts';

export const searchTool: Tool<'search_objects'> = {
  toolset: 'objects',
  scope: 'read',
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
    const sources = await deps.uow.read(work.caller.scope, (stores) =>
      citedSources(
        stores,
        seen.map(({ view }) => view.object.id),
      ),
    );
    const entries = seen.map((hit) => entry(hit, numberOf(work.offering, hit, sources)));
    const names = seen.map(({ view }) => view.object.filename);
    // The session holds the shown objects, and is concealed with one of them. A larger number would count others too.
    const [counted, summed] = total > shown ? ['The best', ''] : ['Found', `${shown} found, `];
    return {
      result: `${counted} ${shown}:\n\n${entries.join('\n\n')}`,
      summary: line(`Searched for “${query}”: ${summed}${names.join(', ')}`),
      found: seen.map(({ view }) => view.object.id),
      documentText: entries,
    };
  },
};

function numberOf(
  offering: ShownPassages,
  { view: { object }, passage }: SearchHit,
  sources: ReadonlyMap<string, CitedSource>,
): number | null {
  if (!passage) return null;
  // An object that was deleted since the search has no pages any more.
  const source = sources.get(object.id) ?? { ...object, pages: [] };
  const { docType, filename, title, version, pages } = sourceOfPassage(source, passage);
  const numbered = { ...passage, objectId: object.id };
  return offering.offer({ passage: numbered, docType, filename, title, version, pages });
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

import type { DocType } from '../../ports/objects.ts';
import type { TextSpan } from '../../ports/search.ts';
import type { PageSpan } from '../../ports/text-extraction.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

/** What a citation says of the object it cites. */
export interface CitedSource {
  readonly docType: DocType;
  readonly filename: string;
  readonly title: string;
  /** The version of the object that the text belongs to. */
  readonly version: number;
  /** The pages of the text; empty if it has none. */
  readonly pages: readonly PageSpan[];
}

/** The sources with these ids. Deleted objects are left out. */
export async function citedSources(
  { objects, texts }: Pick<Stores, 'objects' | 'texts'>,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, CitedSource>> {
  const ids = [...new Set(objectIds)];
  if (ids.length === 0) return new Map();
  const [found, paged] = await Promise.all([objects.findMany(ids), texts.pages(ids)]);
  const pagesOf = new Map(paged.map((each) => [each.objectId, each]));
  return new Map(
    found.map(({ id, docType, filename, title, version }) => {
      // A text that the owner has corrected has no pages, and belongs to the current version.
      const text = pagesOf.get(id) ?? { version, pages: [] };
      return [id, { docType, filename, title, version: text.version, pages: text.pages }];
    }),
  );
}

/** The same source with only the pages of one passage, which is all that a citation of it needs. */
export const sourceOfPassage = (
  { pages, ...source }: CitedSource,
  { charStart, charEnd }: Pick<TextSpan, 'charStart' | 'charEnd'>,
): CitedSource => ({
  ...source,
  pages: pages.filter((page) => page.charStart < charEnd && page.charEnd >= charStart),
});

/** The fields of a citation that begins at a code point of the text. */
export const citedFrom = (
  { docType, filename, title, version, pages }: CitedSource,
  charStart: number,
) => ({ docType, filename, title, version, page: pageAt(pages, charStart) });

/** The page on which a character is. A character between two pages belongs to the one before it. */
function pageAt(pages: readonly PageSpan[], at: number): number | null {
  let [low, high] = [0, pages.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((pages[middle]?.charStart ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return pages[low - 1]?.page ?? null;
}

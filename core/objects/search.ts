import type { Page, PageRequest } from '../../ports/paging.ts';
import type { ObjectOrder, StoredObject } from '../../ports/objects.ts';
import type { TextSpan } from '../../ports/search.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { ZoneDeps } from '../hidden-zone/index.ts';
import { findObjects } from '../search/index.ts';
import type { Caller } from '../shared/caller.ts';
import { emptyText } from '../shared/common-errors.ts';
import { filterFor, type ObjectListing } from './list.ts';
import { viewsOf, type ObjectView } from './view.ts';

export interface SearchDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'collections' | 'themes' | 'search' | 'pinLock'>;
}

export interface SearchHit {
  readonly view: ObjectView;
  readonly score: number;
  /** Exactly the text of that range, in code points; '' if the object has no text. */
  readonly snippet: string;
  readonly charStart: number;
  readonly charEnd: number;
  /** The passage that contains it; null if the object has no text. */
  readonly passage: TextSpan | null;
}

const NOTHING: Page<SearchHit> = { items: [], total: 0 };

/**
 * Finds objects by their text and names, with the same filters as the list, best first if no order is given. Objects in
 * the trash are never found.
 */
export async function searchObjects(
  deps: SearchDeps,
  caller: Caller,
  input: ObjectListing & PageRequest & { readonly q: string; readonly order?: ObjectOrder },
): Promise<Page<SearchHit>> {
  if (input.q.trim() === '') throw emptyText();
  return deps.uow.read(caller.scope, async (stores) => {
    const filter = await filterFor(deps, stores, caller, input);
    if (!filter || filter.trashed) return NOTHING;
    const { items, total } = await findObjects(stores.search, input.q, filter, input);
    const found = await stores.objects.findMany(items.map((hit) => hit.objectId));
    const byId = new Map<string, StoredObject>(found.map((each) => [each.id, each]));
    const hits = items.flatMap((hit) => {
      const object = byId.get(hit.objectId);
      return object ? [{ hit, object }] : [];
    });
    const views = await viewsOf(
      stores,
      hits.map(({ object }) => object),
    );
    return {
      total,
      items: hits.map(({ hit, object }, i) => ({
        view: views[i] ?? { object, collectionName: null },
        score: hit.score,
        snippet: hit.snippet,
        charStart: hit.charStart,
        charEnd: hit.charEnd,
        passage: hit.passage,
      })),
    };
  });
}

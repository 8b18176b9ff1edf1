import { route } from '../../route.ts';
import { closed, int, named, number, object, optional, text } from '../../schema.ts';
import { ObjectListItem, listReply, objectListItem, paging } from '../shapes.ts';
import { listingOf, objectFilters, objectOrder } from './filters.ts';

/** The query and the page size. */
export const searched = { q: text(), limit: paging.limit };

export const searchRoutes = [
  route({
    method: 'get',
    path: '/v1/search',
    tag: 'Search',
    name: 'search',
    summary: 'Find objects by their text and names',
    description:
      'Words, "phrases", -not and prefix*. Words widen the result and rank it; phrases and -not are conditions. Hits are listed best first unless `order` is given. The trash is never searched. `snippet` is exactly the text between `char_start` and `char_end`, which count code points.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['empty_text', 'hidden_locked', 'unknown_kind', 'unknown_doc_type'],
    query: object({
      ...searched,
      offset: paging.offset,
      order: optional(objectOrder),
      ...objectFilters,
    }),
    reply: {
      json: listReply(
        'SearchResults',
        named(
          'SearchHit',
          closed({
            object: ObjectListItem,
            score: number(),
            snippet: text(),
            char_start: int(),
            char_end: int(),
          }),
        ),
      ),
    },
    run: (core, { caller, query }) =>
      core.search.searchObjects(caller, {
        q: query.q,
        ...listingOf(query),
        ...(query.order !== undefined && { order: query.order }),
        limit: query.limit,
        offset: query.offset,
      }),
    present: ({ items, total }) => ({
      items: items.map((hit) => ({
        object: objectListItem(hit.view),
        score: hit.score,
        snippet: hit.snippet,
        char_start: hit.charStart,
        char_end: hit.charEnd,
      })),
      total,
    }),
  }),
];

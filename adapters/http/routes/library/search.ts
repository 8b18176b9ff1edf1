import { route } from '../../route.ts';
import { closed, int, named, number, object, text } from '../../schema.ts';
import { ObjectListItem, listReply, objectListItem, paging } from '../shapes.ts';
import { listingOf, objectFilters } from './objects.ts';

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
      'Words, "phrases", -not and prefix*. Words widen the result and rank it; phrases and -not are conditions. The trash is never searched. `snippet` is exactly the text between `char_start` and `char_end`, which count code points.',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['empty_text', 'hidden_locked', 'unknown_kind', 'unknown_doc_type'],
    query: object({ ...searched, offset: paging.offset, ...objectFilters }),
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

import type { TextPlaces } from '../../../../core/processing/index.ts';
import { route } from '../../route.ts';
import { closed, int, list, named, nullable, number, object, type TypeOf } from '../../schema.ts';
import { objectPath } from '../shapes.ts';

const TextPlacesReply = named(
  'TextPlaces',
  closed({
    page: nullable(int()),
    boxes: list(list(number(), { minItems: 4, maxItems: 4 }), {
      description: '`[x, y, w, h]` in fractions of the page as displayed, from its upper left.',
    }),
  }),
);
const placesOf = ({ page, boxes }: TextPlaces): TypeOf<typeof TextPlacesReply> => ({
  page,
  boxes: boxes.map((box) => [...box]),
});

export const textPlaceRoutes = [
  route({
    method: 'get',
    path: '/v1/objects/:object_id/text/places',
    tag: 'Contents',
    name: 'textPlaces',
    summary: 'Where a range of the text is drawn on its page',
    description: [
      'For PDFs, scans and images: a box for each line, on the page where the range begins; the rest of a range over several pages is left out.',
      'Offsets are those of `GET /v1/objects/{object_id}/text`, at most 10000 apart; the end is exclusive.',
      'Words are covered whole. `{"page": null, "boxes": []}` for other kinds, for a corrected text, and while a newer content is read.',
      'The page is read from the file for every request. Words that can not be located have no box.',
    ].join(' '),
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: objectPath,
    query: object({ char_start: int({ minimum: 0 }), char_end: int({ minimum: 1 }) }),
    reply: { json: TextPlacesReply },
    run: (core, { caller, params, query }) =>
      core.processing.textPlaces(caller, params.object_id, {
        charStart: query.char_start,
        charEnd: query.char_end,
      }),
    present: placesOf,
  }),
];

import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { TextRange } from './text/range.ts';

/** Left, top, width and height in fractions of the page. */
export type Box = readonly [number, number, number, number];

export interface Places {
  readonly page: number | undefined;
  readonly boxes: readonly Box[];
}

/** The service locates no longer range. */
const MAX_RANGE_LENGTH = 10_000;

/** Where words of the text are on the page or the picture, for a range in code points. */
export async function readPlaces(
  id: string,
  { start, end }: TextRange,
  signal: AbortSignal,
): Promise<Places> {
  const { page, boxes } = await reply(
    api.GET('/v1/objects/{object_id}/text/places', {
      params: {
        path: { object_id: id },
        query: { char_start: start, char_end: Math.min(end, start + MAX_RANGE_LENGTH) },
      },
      signal,
    }),
  );
  return {
    page: page ?? undefined,
    boxes: boxes.flatMap(([x, y, w, h]) =>
      x === undefined || y === undefined || w === undefined || h === undefined
        ? []
        : [[x, y, w, h] as const],
    ),
  };
}

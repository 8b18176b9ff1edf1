import type { ObjectPosition } from '../../ports/objects.ts';
import { invalid } from './validation.ts';

const SHAPE = /^(\d{1,16})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** A place in the object list as an opaque word for the next request. */
export const cursorOf = (position: ObjectPosition | null): string | null =>
  position && Buffer.from(`${position.createdAt}.${position.id}`).toString('base64url');

/** Throws the 422 of a cursor that nobody gave out. */
export function positionOf(cursor: string): ObjectPosition {
  const [, at, id] = SHAPE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (at === undefined || id === undefined)
    throw invalid(['query', 'cursor'], 'value_error', 'Value error, this is no cursor', cursor, {
      error: {},
    });
  return { createdAt: Number(at), id };
}

import type { ObjectPosition } from '../../../ports/objects.ts';

const SHAPE = /^(\d{1,16})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** A position in the object list as an opaque string for the next request. */
export const cursorOf = (position: ObjectPosition | null): string | null =>
  position && Buffer.from(`${position.createdAt}.${position.id}`).toString('base64url');

/** The position of a cursor; undefined for a string that the service can not have issued. */
export function positionOf(cursor: string): ObjectPosition | undefined {
  const [, at, id] = SHAPE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return at === undefined || id === undefined ? undefined : { createdAt: Number(at), id };
}

import type { ObjectPosition } from '../../../ports/objects.ts';

/** The name of the list, the key (a number, or a text in quotes without NUL), and the id. */
const SHAPE =
  /^(?:([\w-]{1,22})\.)?(?:(\d{1,16})|"([^\0]*)")\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** A position, and the name of the list to which it belongs. */
export interface SentCursor extends ObjectPosition {
  readonly list: string;
}

/**
 * A position in a list as an opaque string for the next request.
 *
 * @param list stands for the filters and the order of the list: at most 22 letters, digits, `_` and `-`.
 */
export function cursorOf(position: ObjectPosition | null, list = ''): string | null {
  if (!position) return null;
  const { key, id } = position;
  const parts = [typeof key === 'number' ? String(key) : `"${key}"`, id];
  return Buffer.from((list === '' ? parts : [list, ...parts]).join('.')).toString('base64url');
}

/** The position of a cursor; undefined for a string that the service can not have issued. */
export function positionOf(cursor: string): SentCursor | undefined {
  const found = SHAPE.exec(Buffer.from(cursor, 'base64url').toString());
  if (!found) return undefined;
  const [, list = '', at, name = '', id = ''] = found;
  return { list, key: at === undefined ? name : Number(at), id };
}

import { wellFormed } from '../text/index.ts';
import { objectIn } from './sendable.ts';

/** Of arguments that were refused, in UTF-16 units. */
const LONGEST_REFUSED = 2_000;
/** Of an object in them, in brackets within brackets. */
const DEEPEST = 20;
/** What JSON escapes where a text holds a NUL or half a character. */
const UNKEEPABLE = /\\u(?:0000|d[89a-f])/;

/** The arguments of a call that was refused: the object that the model wrote, else its words, so that they can be kept. */
export function asWritten(written: string): unknown {
  const object = written.length <= LONGEST_REFUSED ? objectIn(written) : undefined;
  const asObject = object && !isDeep(object) && !UNKEEPABLE.test(JSON.stringify(object));
  return asObject ? object : keepable(cut(written, LONGEST_REFUSED));
}

/** A text without what can not be stored everywhere, and is not taken back from an export. */
export const keepable = (text: string): string => wellFormed(text).replaceAll('\0', '\ufffd');

/** Never in the middle of a character. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;

function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= DEEPEST || Object.values(value).some((each) => isDeep(each, depth + 1));
}

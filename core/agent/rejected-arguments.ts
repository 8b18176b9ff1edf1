import { wellFormed } from '../text/index.ts';
import { parseJsonObject } from './tool-call-json.ts';

/** Limit of rejected arguments, in UTF-16 units. */
const MAX_REJECTED_LENGTH = 2_000;
/** Limit of nested brackets in them. */
const DEEPEST = 20;
/** JSON escapes of NUL and of unpaired surrogates. */
const UNKEEPABLE = /\\u(?:0000|d[89a-f])/;

/** The arguments of a rejected call in storable form: the object that the model wrote, or else its raw text. */
export function recordableArguments(written: string): unknown {
  const object = written.length <= MAX_REJECTED_LENGTH ? parseJsonObject(written) : undefined;
  const asObject = object && !isDeep(object) && !UNKEEPABLE.test(JSON.stringify(object));
  return asObject ? object : storableText(truncate(written, MAX_REJECTED_LENGTH));
}

/** The text without characters that cannot be stored everywhere or that an import would reject. */
export const storableText = (text: string): string => wellFormed(text).replaceAll('\0', '\ufffd');

/** Never splits a surrogate pair. */
export const truncate = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;

function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= DEEPEST || Object.values(value).some((each) => isDeep(each, depth + 1));
}

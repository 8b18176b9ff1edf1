import { detail, valueError, type Detail } from './detail.ts';

type Loc = Detail['loc'];
export type Read = { readonly value: unknown } | { readonly fault: Detail };

const INT = /^\s*([+-]?)(\d+(?:_\d+)*)(?:\.0*)?\s*$/;
const FLOAT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const MOST_DIGITS = 4300;
const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

/**
 * Reads a value that arrived as text (path, query, header, form field) the lenient way: `5`, `+5` and ` 5 ` are the
 * same number. Without a bound of its own a number past what can be counted becomes the largest that can: an offset
 * beyond the end is an empty page, however far beyond.
 */
export function readText(type: unknown, text: string, loc: Loc): Read {
  const unsafe = textFault(text, loc);
  if (unsafe) return { fault: unsafe };
  if (type === 'integer') return readInt(text, loc);
  if (type === 'boolean') return readFlag(text, loc);
  if (type === 'number')
    return FLOAT.test(text)
      ? { value: Number(text) }
      : {
          fault: detail(
            'float_parsing',
            loc,
            'Input should be a valid number, unable to parse string as a number',
            text,
          ),
        };
  return { value: text };
}

function readInt(text: string, loc: Loc): Read {
  const [, sign, digits] = INT.exec(text) ?? [];
  if (digits === undefined)
    return {
      fault: detail(
        'int_parsing',
        loc,
        'Input should be a valid integer, unable to parse string as an integer',
        text,
      ),
    };
  if (digits.length > MOST_DIGITS)
    return {
      fault: detail(
        'int_parsing_size',
        loc,
        'Unable to parse input string as an integer, exceeded maximum size',
        text,
      ),
    };
  const size = Math.min(Number(digits.replaceAll('_', '')), Number.MAX_SAFE_INTEGER);
  return { value: sign === '-' && size !== 0 ? -size : size };
}

function readFlag(text: string, loc: Loc): Read {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return { value: true };
  if (FALSE.has(word)) return { value: false };
  return {
    fault: detail(
      'bool_parsing',
      loc,
      'Input should be a valid boolean, unable to interpret input',
      text,
    ),
  };
}

/** What no database of ours takes: refused here, alike on all of them. */
export function textFault(text: string, loc: Loc): Detail | undefined {
  if (text.includes('\0')) return valueError(loc, 'the text holds a NUL character');
  if (!text.isWellFormed()) return valueError(loc, 'the text holds an unpaired surrogate');
  return undefined;
}

/** The query as text by name; of a repeated name the last counts. A value that does not decode is null. */
export function queryValues(url: string): ReadonlyMap<string, string | null> {
  const values = new Map<string, string | null>();
  const start = url.indexOf('?');
  if (start < 0) return values;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    if (name !== null) values.set(name, equals < 0 ? '' : decoded(pair.slice(equals + 1)));
  }
  return values;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Not the percent-encoding of UTF-8: told apart from every text.
    return null;
  }
}

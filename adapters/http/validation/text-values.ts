import { detail, valueError, type Detail, type Loc } from './detail.ts';
import { unsafeText } from './formats/unsafe-text.ts';
import { withoutNull, type Node } from './node.ts';
import { coerceValue } from './coerce.ts';

export type Read = { readonly value: unknown } | { readonly fault: Detail };

const BLANK = String.raw`[\p{White_Space}]*`;
const DIGITS = String.raw`\d+(?:_\d+)*`;
const INT = new RegExp(`^${BLANK}([+-]?)(${DIGITS})(?:\\.0+)?${BLANK}$`, 'u');
const FLOAT = new RegExp(
  `^${BLANK}([+-]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?)${BLANK}$`,
  'u',
);
const MAX_DIGITS = 4300;
const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

/**
 * Makes the parser of a value that arrives as text (path, query, header, form field). It is lenient: `5`, `+5`, ` 5 `,
 * `5.0` and `1_000` are integers. Bounds are not checked here.
 */
export function textReader(node: Node): (text: string, loc: Loc) => Read {
  const inner = withoutNull(node);
  const shape = coerceValue(inner);
  const read = inner['sentInt64'] ? readInt64 : (READERS.get(String(inner['type'])) ?? readText);
  return (text, loc) => {
    const unsafe = unsafeText(text);
    if (unsafe !== undefined)
      return { fault: valueError(loc, `the text holds ${unsafe}`, text.toWellFormed()) };
    const result = read(text, loc);
    return 'value' in result ? { value: shape(result.value) } : result;
  };
}

const readText = (text: string): Read => ({ value: text });

interface Digits {
  readonly negative: boolean;
  /** Without leading zeros. */
  readonly significant: string;
}

function digitsOf(text: string, loc: Loc): Digits | { readonly fault: Detail } {
  const [, sign, digits] = INT.exec(text) ?? [];
  if (digits === undefined)
    return unreadable('int_parsing', loc, 'integer, unable to parse string as an integer', text);
  const significant = digits.replace(/^[0_]+/, '').replaceAll('_', '');
  if (significant.length > MAX_DIGITS)
    return {
      fault: detail(
        'int_parsing_size',
        loc,
        'Unable to parse input string as an integer, exceeded maximum size',
        text,
      ),
    };
  return { negative: sign === '-', significant };
}

function readInt(text: string, loc: Loc): Read {
  const digits = digitsOf(text, loc);
  if ('fault' in digits) return digits;
  const { negative, significant } = digits;
  // So many digits may overflow. The number is then cut to the largest safe one of its sign.
  const size = Math.min(Number(significant), Number.MAX_SAFE_INTEGER);
  return { value: negative && size > 0 ? -size : size };
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

function readInt64(text: string, loc: Loc): Read {
  const digits = digitsOf(text, loc);
  if ('fault' in digits) return digits;
  const size = BigInt(digits.significant || '0');
  const value = digits.negative ? -size : size;
  if (value < MIN_INT64) return beyond('greater_than_equal', loc, 'greater', 'ge', MIN_INT64, text);
  if (value > MAX_INT64) return beyond('less_than_equal', loc, 'less', 'le', MAX_INT64, text);
  return { value };
}

const beyond = (
  type: string,
  loc: Loc,
  relation: string,
  key: string,
  bound: bigint,
  text: string,
): Read => ({
  fault: detail(type, loc, `Input should be ${relation} than or equal to ${bound}`, text, {
    [key]: JSON.rawJSON(String(bound)),
  }),
});

function readFloat(text: string, loc: Loc): Read {
  const [, digits] = FLOAT.exec(text) ?? [];
  const value = digits === undefined ? NaN : Number(digits.replaceAll('_', ''));
  return Number.isFinite(value)
    ? { value }
    : unreadable('float_parsing', loc, 'number, unable to parse string as a number', text);
}

function readFlag(text: string, loc: Loc): Read {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return { value: true };
  if (FALSE.has(word)) return { value: false };
  return unreadable('bool_parsing', loc, 'boolean, unable to interpret input', text);
}

const unreadable = (
  type: string,
  loc: Loc,
  what: string,
  text: string,
): { readonly fault: Detail } => ({
  fault: detail(type, loc, `Input should be a valid ${what}`, text),
});

const READERS: ReadonlyMap<string, (text: string, loc: Loc) => Read> = new Map([
  ['integer', readInt],
  ['number', readFloat],
  ['boolean', readFlag],
]);

/** The position of the first error of a body, in code points. */
export type JsonFault =
  | { readonly kind: 'syntax'; readonly position: number; readonly error: string }
  /** `field`: the key of the outermost object that contains it. */
  | { readonly kind: 'depth'; readonly field?: string };

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /null|true|false/y;
// eslint-disable-next-line no-control-regex -- JSON forbids them raw
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Thrown by the readers below and caught in one function. */
class Stop extends Error {
  readonly at: number;
  constructor(at: number, error: string) {
    super(error);
    this.at = at;
  }
}

/**
 * The first error of a JSON text (RFC 8259) in reading order, in the words of the decoder that clients know, or null.
 * Besides syntax errors it finds numbers beyond the countable range and more than `maxDepth` nested brackets. It uses a
 * list instead of recursion, so a megabyte of `[` costs as little as 65 of them.
 */
export function scanJson(text: string, maxDepth: number): JsonFault | null {
  try {
    return scan(text, maxDepth);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { kind: 'syntax', position: codePoints(text, error.at), error: error.message };
  }
}

/** Returns the depth if it was exceeded. */
function scan(text: string, maxDepth: number): JsonFault | null {
  const open: ('}' | ']')[] = [];
  let field: string | undefined;
  const keyAt = (from: number): number => {
    const end = key(text, from);
    if (open.length === 1) field = JSON.parse(text.slice(from, string(text, from))) as string;
    return end;
  };
  let at = skip(text, 0);
  for (;;) {
    const first = text[at];
    if (first === '{' || first === '[') {
      if (open.length === maxDepth) return { kind: 'depth', ...(field !== undefined && { field }) };
      const closer = first === '{' ? '}' : ']';
      at = skip(text, at + 1);
      if (text[at] !== closer) {
        open.push(closer);
        if (closer === '}') at = keyAt(at);
        continue;
      }
      at += 1;
    } else at = scalar(text, at);
    at = skip(text, at);
    for (;;) {
      const closer = open.at(-1);
      if (closer === undefined) {
        if (at < text.length) throw new Stop(at, 'Extra data');
        return null;
      }
      if (text[at] !== closer) break;
      open.pop();
      at = skip(text, at + 1);
    }
    if (text[at] !== ',') throw new Stop(at, "Expecting ',' delimiter");
    at = skip(text, at + 1);
    if (open.at(-1) === '}') at = keyAt(at);
  }
}

/** Each reader gets the position where its part begins and returns the position behind it. */
function key(text: string, at: number): number {
  if (text[at] !== '"') throw new Stop(at, 'Expecting property name enclosed in double quotes');
  const end = skip(text, string(text, at));
  if (text[end] !== ':') throw new Stop(end, "Expecting ':' delimiter");
  return skip(text, end + 1);
}

function scalar(text: string, at: number): number {
  if (text[at] === '"') return string(text, at);
  const word = after(WORD, text, at);
  if (word > at) return word;
  const end = after(NUMBER, text, at);
  if (end === at || !Number.isFinite(Number(text.slice(at, end))))
    throw new Stop(at, 'Expecting value');
  return end;
}

function string(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = after(PLAIN, text, at);
    if (text[at] === '"') return at + 1;
    const last = text[at];
    if (last === undefined || (last === '\\' && at + 1 === text.length))
      throw new Stop(start, 'Unterminated string starting at');
    if (last !== '\\') throw new Stop(at, 'Invalid control character at');
    const next = after(ESCAPE, text, at);
    if (next === at) throw new Stop(at, 'Invalid \\escape');
    at = next;
  }
}

const after = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};
const skip = (text: string, at: number): number => after(SPACE, text, at);

function codePoints(text: string, end: number): number {
  let count = 0;
  for (let i = 0; i < end; count++) i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

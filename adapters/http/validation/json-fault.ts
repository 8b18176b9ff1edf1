/** Where a text stops being JSON and how the decoder that clients know would put it. Positions count code points. */
export interface JsonFault {
  readonly position: number;
  readonly error: string;
}

class Stop extends Error {
  readonly at: number;
  constructor(at: number, error: string) {
    super(error);
    this.at = at;
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y; // eslint-disable-line no-control-regex -- JSON forbids them raw
const KEY = 'Expecting property name enclosed in double quotes';

/** For a text that JSON.parse refused. */
export function jsonFault(text: string): JsonFault {
  try {
    const end = skip(text, value(text, skip(text, 0)));
    if (end < text.length) throw new Stop(end, 'Extra data');
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { position: [...text.slice(0, error.at)].length, error: error.message };
  }
  // Sound by this reading; what JSON.parse minded lies at the start (a byte order mark).
  return { position: 0, error: 'Expecting value' };
}

const match = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? at + found[0].length : at;
};
const skip = (text: string, at: number): number => match(SPACE, text, at);

/** Each of these takes the place where its part begins and answers with the place after it. */
function value(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return string(text, at);
  if (first === '{') return object(text, at + 1);
  if (first === '[') return array(text, at + 1);
  for (const word of ['null', 'true', 'false']) if (text.startsWith(word, at)) return at + word.length;
  const end = match(NUMBER, text, at);
  if (end === at) throw new Stop(at, 'Expecting value');
  return end;
}

function object(text: string, start: number): number {
  let at = skip(text, start);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new Stop(at, KEY);
    at = skip(text, string(text, at));
    if (text[at] !== ':') throw new Stop(at, "Expecting ':' delimiter");
    at = skip(text, value(text, skip(text, at + 1)));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw new Stop(at, "Expecting ',' delimiter");
    at = skip(text, at + 1);
  }
}

function array(text: string, start: number): number {
  let at = skip(text, start);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skip(text, value(text, at));
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw new Stop(at, "Expecting ',' delimiter");
    at = skip(text, at + 1);
  }
}

function string(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = match(PLAIN, text, at);
    if (at >= text.length) throw new Stop(start, 'Unterminated string starting at');
    if (text[at] === '"') return at + 1;
    if (text[at] !== '\\') throw new Stop(at, 'Invalid control character at');
    const escape = text[at + 1];
    if (escape === undefined) throw new Stop(start, 'Unterminated string starting at');
    if (escape === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)))
        throw new Stop(at, 'Invalid \\escape');
      at += 6;
    } else if ('"\\/bfnrt'.includes(escape)) at += 2;
    else throw new Stop(at, 'Invalid \\escape');
  }
}

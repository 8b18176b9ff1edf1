const NONE = '{}';
/** Limit of JSON texts within JSON texts. */
const MAX_NESTING = 3;

/**
 * The arguments of a tool call, from the pieces that were sent. Some services send them twice, with `{}` first, as a
 * JSON text within a JSON text, or with every piece all that came before. What is whole in none of these ways is
 * returned as it was sent.
 */
export function wholeArguments(pieces: readonly string[]): string {
  const sent = pieces.join('');
  if (sent.trim() === '') return NONE;
  const whole = unwrapped(sent) ?? onlyOne(sequenceOf(sent)) ?? lastOf(pieces);
  return whole ?? sent;
}

/** The JSON object of a text, or of the JSON text in it. */
function unwrapped(text: string): string | undefined {
  let json = text;
  for (let depth = 0; depth < MAX_NESTING; depth++) {
    const value = parsed(json);
    if (typeof value !== 'string') return isObject(value) ? json : undefined;
    json = value;
  }
  return undefined;
}

/** The one object that is not empty; undefined if there are different ones. */
function onlyOne(objects: readonly string[] | undefined): string | undefined {
  if (!objects) return undefined;
  const distinct = new Set(objects.map((json) => JSON.stringify(parsed(json))));
  distinct.delete(NONE);
  if (distinct.size > 1) return undefined;
  const [only] = distinct;
  return only === undefined ? NONE : objects.find((json) => JSON.stringify(parsed(json)) === only);
}

/** The JSON objects that follow each other in a text; undefined if there is anything else in it. */
function sequenceOf(text: string): readonly string[] | undefined {
  const objects: string[] = [];
  let [depth, start, isQuoted] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    if (isQuoted) {
      if (unit === '\\') i++;
      else isQuoted = unit !== '"';
    } else if (depth === 0 && unit !== '{') {
      if (unit.trim() !== '') return undefined;
    } else if (unit === '"') isQuoted = true;
    else if (unit === '{') {
      if (depth++ === 0) start = i;
    } else if (unit === '}' && --depth === 0) objects.push(text.slice(start, i + 1));
  }
  return depth === 0 && objects.every((json) => isObject(parsed(json))) ? objects : undefined;
}

/** The last piece, if every piece repeats the one before it. */
function lastOf(pieces: readonly string[]): string | undefined {
  const last = pieces.at(-1) ?? '';
  if (pieces.length < 2 || !isObject(parsed(last))) return undefined;
  return pieces.every((piece, i) => i === 0 || piece.startsWith(pieces[i - 1] ?? ''))
    ? last
    : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

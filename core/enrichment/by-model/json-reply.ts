/** Maximum length of a reply, in UTF-16 units. The expected object takes a few thousand. */
const MAX_REPLY_LENGTH = 100_000;
/** Maximum number of braces before the object. */
const MAX_PARSE_ATTEMPTS = 20;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The JSON object in a model's reply: alone, in a code fence, with words around it, or after its reasoning. Undefined
 * if there is none that can be parsed.
 */
export function parseJsonObject(text: string): JsonObject | undefined {
  if (text.length > MAX_REPLY_LENGTH) return undefined;
  const answer = text.split('</think>').at(-1) ?? '';
  return firstObject(answer) ?? (answer === text ? undefined : firstObject(text));
}

function firstObject(text: string): JsonObject | undefined {
  let from = 0;
  for (let tries = 0; tries < MAX_PARSE_ATTEMPTS; tries++) {
    const start = text.indexOf('{', from);
    if (start < 0) return undefined;
    const end = endOf(text, start);
    const parsed = end === undefined ? undefined : parse(text.slice(start, end));
    if (parsed) return parsed;
    from = start + 1;
  }
  return undefined;
}

/** Index after the brace that closes the one at `start`. Braces within strings do not count. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === '{') depth += 1;
    else if (letter === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parse(json: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    const complete = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    // An empty object, or one of another shape, is from reasoning or an example.
    return complete && Object.hasOwn(parsed, 'summary') ? (parsed as JsonObject) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

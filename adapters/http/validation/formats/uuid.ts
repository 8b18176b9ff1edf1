const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DASHED = String.raw`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`;
const ACCEPTED = new RegExp(
  `^(?:([0-9a-fA-F]{32})|(${DASHED})|\\{(${DASHED})\\}|urn:uuid:(${DASHED}))$`,
);
/** Positions and lengths of the five groups in the form with dashes. */
const GROUPS = [
  [0, 8],
  [9, 4],
  [14, 4],
  [19, 4],
] as const;
const LAST_GROUP = 24;
const DASHED_LENGTH = 36;

/** Either the id in lower case with dashes, or the error in the words that clients of such interfaces know. */
export type ParsedUuid = { readonly uuid: string } | { readonly error: string };

/** Parses a UUID in any case: with dashes, without, and with dashes also in braces or as a URN (RFC 9562 §4). */
export function parseUuid(text: string): ParsedUuid {
  if (CANONICAL.test(text)) return { uuid: text };
  const [, simple, ...dashed] = ACCEPTED.exec(text) ?? [];
  if (simple !== undefined)
    return { uuid: simple.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toLowerCase() };
  const found = dashed.find((spelling) => spelling !== undefined);
  return found === undefined ? { error: fault(text) } : { uuid: found.toLowerCase() };
}

export const isCanonicalUuid = (text: string): boolean => CANONICAL.test(text);

/**
 * The errors in the order of the parser that clients know: an invalid character, the number of groups, the first group
 * of a wrong length. If a wrapped id has the right length, that parser ignores the wrapping and counts without it.
 */
function fault(sent: string): string {
  const wrapped = unwrapped(sent);
  const text = Buffer.byteLength(wrapped.body) === DASHED_LENGTH ? wrapped.body : sent;
  const { body, skipped } = unwrapped(text);
  const breaks: number[] = [];
  let at = 0;
  for (const char of body) {
    if (char === '-') breaks.push(at);
    else if (!/[0-9a-fA-F]/.test(char))
      return `invalid character: found \`${char}\` at ${skipped + at + 1}`;
    at += 1;
  }
  if (breaks.length === 0 && skipped === 0)
    return `invalid length: expected length 32 for simple format, found ${text.length}`;
  if (breaks.length !== GROUPS.length)
    return `invalid group count: expected 5, found ${breaks.length + 1}`;
  for (const [i, [start, length]] of GROUPS.entries()) {
    const found = (breaks[i] ?? 0) - start;
    if (found !== length)
      return `invalid group length in group ${i}: expected ${length}, found ${found}`;
  }
  return `invalid group length in group 4: expected 12, found ${text.length - LAST_GROUP}`;
}

function unwrapped(text: string): { readonly body: string; readonly skipped: number } {
  if (text.length > 1 && text.startsWith('{') && text.endsWith('}'))
    return { body: text.slice(1, -1), skipped: 1 };
  if (text.startsWith('urn:uuid:')) return { body: text.slice(9), skipped: 9 };
  return { body: text, skipped: 0 };
}

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const GROUPS = [8, 4, 4, 4, 12];

/** Either the id in lower case with dashes, or why the text is none, worded as clients of such interfaces know it. */
export type ParsedUuid = { readonly uuid: string } | { readonly error: string };

/**
 * Reads a UUID in any case: with dashes, without, in braces, or as a URN (RFC 9562 §4). The order in which faults are
 * looked for decides the wording: a foreign character first, then the groups, then the length.
 */
export function parseUuid(text: string): ParsedUuid {
  if (CANONICAL.test(text)) return { uuid: text };
  const { body, skipped } = unwrapped(text);
  const points = [...body];
  const foreign = points.findIndex((char) => !/^[0-9a-fA-F-]$/.test(char));
  if (foreign >= 0) {
    const place = skipped + foreign + 1;
    return { error: `invalid character: found \`${points[foreign]}\` at ${place}` };
  }
  const groups = body.split('-');
  if (groups.length === 1)
    return body.length === 32
      ? { uuid: dashed(body) }
      : { error: `invalid length: expected length 32 for simple format, found ${body.length}` };
  if (groups.length !== GROUPS.length)
    return { error: `invalid group count: expected 5, found ${groups.length}` };
  for (const [i, expected] of GROUPS.entries()) {
    const found = groups[i]?.length ?? 0;
    if (found !== expected)
      return { error: `invalid group length in group ${i}: expected ${expected}, found ${found}` };
  }
  return { uuid: body.toLowerCase() };
}

function unwrapped(text: string): { readonly body: string; readonly skipped: number } {
  if (/^\{.*\}$/s.test(text)) return { body: text.slice(1, -1), skipped: 1 };
  if (text.startsWith('urn:uuid:')) return { body: text.slice(9), skipped: 9 };
  return { body: text, skipped: 0 };
}

function dashed(simple: string): string {
  const hex = simple.toLowerCase();
  let at = 0;
  return GROUPS.map((length) => hex.slice(at, (at += length))).join('-');
}

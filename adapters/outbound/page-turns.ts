/** How much of a page may hold what turns it to another one. */
const HEAD_LENGTH = 65_536;
/** Pages that turn later are read: people see them first. */
const MAX_DELAY_SECONDS = 1;

/** Not seen by a browser, or only by one without scripts. */
const UNSEEN = /<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
/** A `<` ends it, so that a hostile page is read in linear time. */
const META = /<meta\b((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/gi;
const ATTRIBUTE = /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const MAX_CONTENT = 4_096;
/** The shared declarative refresh steps (HTML standard, §4.2.5.3), as far as pages use them. */
const REFRESH = /^\s*(\d{1,4})(?:\.[\d.]*)?\s*(?:[;,]\s*)?(?:url\s*=\s*)?(["']?)(.+?)\2\s*$/is;

/**
 * Where a page turns to within a second of being shown (`<meta http-equiv="refresh">`); undefined if it does not.
 *
 * @param html the beginning of the page, one character per byte
 */
export function turnOf(html: string, from: URL): URL | undefined {
  const seen = html.slice(0, HEAD_LENGTH).replace(UNSEEN, '');
  for (const [, attributes = ''] of seen.matchAll(META)) {
    const fields = new Map(
      Array.from(attributes.matchAll(ATTRIBUTE), ([, name = '', a, b, c]) => [
        name.toLowerCase(),
        a ?? b ?? c ?? '',
      ]),
    );
    if (fields.get('http-equiv')?.trim().toLowerCase() !== 'refresh') continue;
    const [, seconds, , target] =
      REFRESH.exec((fields.get('content') ?? '').slice(0, MAX_CONTENT)) ?? [];
    if (target === undefined || Number(seconds) > MAX_DELAY_SECONDS) return undefined;
    const url = URL.parse(withoutRawBytes(target.replaceAll('&amp;', '&')), from.href);
    return url && url.href !== from.href ? url : undefined;
  }
  return undefined;
}

/**
 * An address whose bytes beyond ASCII are encoded, as browsers do with a `Location` header.
 *
 * @param address one character per byte
 */
export const withoutRawBytes = (address: string): string =>
  address.replace(
    /[\u0080-\u00ff]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`,
  );

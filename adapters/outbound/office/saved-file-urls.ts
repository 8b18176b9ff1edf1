/**
 * Everything before the path: scheme and authority, either alone, or a host and port without a scheme. The authority
 * may be empty or malformed, since it is ignored.
 */
const AUTHORITY = /^(?:(?:https?:)?[\\/]{2}[^\\/?#]*|https?:|[\w.-]+:\d{1,5}(?=[\\/]))/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/**
 * The URLs at the document server's configured address that a named URL may stand for, most likely first; none if the
 * name is not an http or https URL or path.
 *
 * A document server derives its own address from a request, from its container or from a proxy. Only path and query
 * of the name are therefore used; scheme, host, port, user name and fragment are not. A configured path prefix that the
 * name lacks is added. The other reading of the path comes second: a proxy may serve saved files outside the prefix,
 * and a path of the server may begin with the same word as the prefix.
 *
 * @param engineUrl http or https, without a trailing slash.
 * @param base The absolute URL that a relative path is resolved against.
 */
export function savedFileUrls(
  named: string,
  engineUrl: string,
  base = `${new URL(engineUrl).origin}/`,
): readonly string[] {
  const { origin, pathname } = new URL(engineUrl);
  const prefix = pathname === '/' ? '' : pathname;
  const path = pathIn(named.trim(), origin, base);
  if (path === undefined) return [];
  const own = `${origin}${path}`;
  if (prefix === '') return [own];
  const prefixed = `${origin}${prefix}${path}`;
  return path.startsWith(`${prefix}/`) ? [own, prefixed] : [prefixed, own];
}

/** The normalised path with its query. */
function pathIn(named: string, origin: string, base: string): string | undefined {
  const rest = named.replace(AUTHORITY, '');
  if (named === '' || SCHEME.test(rest)) return undefined;
  // A path that begins with two slashes would otherwise be parsed as another host.
  const url = /^[\\/]/.test(rest) ? URL.parse(origin + rest) : URL.parse(rest, base);
  return url ? url.pathname + url.search : undefined;
}

/**
 * The address that a named URL has instead of the configured one: scheme, host and port as the server writes them, and
 * '' for a path alone. undefined if both are the same, or the configured prefix is all that is missing.
 */
export function addressElsewhere(named: string, engineUrl: string): string | undefined {
  const [address = ''] = AUTHORITY.exec(named.trim()) ?? [];
  const { origin } = new URL(engineUrl);
  if (URL.parse(address)?.origin === origin) return undefined;
  // User names and passwords are not shown.
  return address.replace(/(?<=[\\/]{2})[^@]*@/, '');
}

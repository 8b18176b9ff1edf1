/** Either the URL in its normal form, or the error in the words that clients of such interfaces know. */
export type ParsedUrl =
  { readonly url: string } | { readonly error: string } | { readonly foreignScheme: string };

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const SPECIAL = /^(?:https?|wss?|ftp|file)$/i;
// eslint-disable-next-line no-control-regex -- the standard's forbidden host code points
const FORBIDDEN = /[\u0000-\u0020#%/:<>?@[\\\]^|]/;
const NUMERIC_END = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i;
/** Characters that are removed when a host name is mapped (UTS #46). */
const VANISHING = /^[\u00ad\u200b\u2060\ufeff]+$/;

/** Parses an absolute URL of one of the schemes (WHATWG URL §4.4). */
export function parseUrl(text: string, schemes: readonly string[]): ParsedUrl {
  const url = URL.parse(text);
  if (!url) return { error: fault(text) };
  const scheme = url.protocol.slice(0, -1);
  return schemes.includes(scheme) ? { url: url.href } : { foreignScheme: scheme };
}

/** The parser only rejects; the reason is found by checking the components. */
function fault(text: string): string {
  // eslint-disable-next-line no-control-regex -- the parser strips them from both ends
  const plain = text.replaceAll(/^[\u0000-\u0020]+|[\u0000-\u0020]+$|[\t\n\r]/g, '');
  if (plain === '') return 'input is empty';
  const [whole, scheme = ''] = SCHEME.exec(plain) ?? [];
  if (whole === undefined) return 'relative URL without a base';
  const [authority = ''] = plain
    .slice(whole.length)
    .replace(/^[/\\]+/, '')
    .split(/[/\\?#]/);
  const place = authority.slice(authority.lastIndexOf('@') + 1);
  if (place.startsWith('[')) return bracketedFault(place);
  const [host = ''] = place.split(':');
  if (host === '') return 'empty host';
  if (!SPECIAL.test(scheme))
    return FORBIDDEN.test(host.replaceAll('%', ''))
      ? 'invalid domain character'
      : 'invalid port number';
  if (URL.canParse(`http://${host}/`)) return 'invalid port number';
  if (VANISHING.test(host)) return 'empty host';
  return NUMERIC_END.test(host) && !FORBIDDEN.test(host)
    ? 'invalid IPv4 address'
    : 'invalid international domain name';
}

function bracketedFault(place: string): string {
  const [, host = ''] = /^(\[[^\]]*\]):/.exec(place) ?? [];
  return URL.canParse(`http://${host}`) ? 'invalid port number' : 'invalid IPv6 address';
}

import type { ContentType } from '../../ports/text-extraction.ts';
import { nameFromTitle, titleFromLine } from './filename.ts';

/** The file a desktop keeps an address in; IANA knows no type for it, browsers and Windows this one. */
export const LINK_TYPE = {
  kind: 'link',
  mime: 'application/internet-shortcut',
  format: 'url',
} as const satisfies ContentType;

/** The bytes of a link. An address in its normal form has no line ends. */
export const shortcutTo = (url: string): string => `[InternetShortcut]\r\nURL=${url}\r\n`;

/** A title for a page that has told none yet: host and path, as a person would read them. */
export function nameFromUrl(url: string): string {
  const [, host = '', path = ''] = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)([^?#]*)/.exec(url) ?? [];
  return titleFromLine(`${host}${readable(path).replace(/\/+$/, '')}`, 'Link');
}

/** The filename of a link whose page has this title. */
export const nameFromPageTitle = (title: string): string =>
  nameFromTitle(titleFromLine(title, 'Link'), LINK_TYPE.format);

/** Octets that are no UTF-8 stay as they were written. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

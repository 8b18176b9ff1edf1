import type { ContentType } from '../../ports/text-extraction.ts';
import { nameFromTitle, titleFromLine } from './filename.ts';

/** The file format of a desktop shortcut. IANA has no type for it; browsers and Windows use this one. */
export const LINK_TYPE = {
  kind: 'link',
  mime: 'application/internet-shortcut',
  format: 'url',
} as const satisfies ContentType;

/** The bytes of a link. A URL in its normal form has no line breaks. */
export const urlShortcutFile = (url: string): string => `[InternetShortcut]\r\nURL=${url}\r\n`;

/** A title for a page whose title is unknown: host and path in readable form. */
export function nameFromUrl(url: string): string {
  const [, host = '', path = ''] = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)([^?#]*)/.exec(url) ?? [];
  return titleFromLine(`${host}${openVersion(path).replace(/\/+$/, '')}`, 'Link');
}

/** The filename of a link whose page has this title. */
export const nameFromPageTitle = (title: string): string =>
  nameFromTitle(titleFromLine(title, 'Link'), LINK_TYPE.format);

/** Octets that are not valid UTF-8 remain percent-encoded. */
function openVersion(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

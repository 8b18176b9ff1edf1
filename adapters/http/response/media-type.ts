import { contentType as withCharset } from 'mime-types';
import { isMediaType } from '../../../core/objects/index.ts';

/** How a content of a stored media type is sent. */
export interface ServedType {
  /** The value of `Content-Type`. */
  readonly contentType: string;
  /** Whether a browser may show it. Every other type is downloaded. */
  readonly mayBeInline: boolean;
}

const OPAQUE: ServedType = { contentType: 'application/octet-stream', mayBeInline: false };

/** Types that a browser shows without running any of it. SVG and every other XML are not among them. */
const INLINE_TYPES = new Set([
  ...'application/json application/pdf'.split(' '),
  ...'text/calendar text/csv text/markdown text/plain text/tab-separated-values text/vcard'.split(
    ' ',
  ),
  ...'apng avif bmp gif heic jp2 jpeg jxl png tiff vnd.microsoft.icon webp'
    .split(' ')
    .map((name) => `image/${name}`),
]);
const INLINE_FAMILY = /^(?:audio|video)\/[a-z0-9.-]+$/;

/**
 * Decides by the essence of the type alone (WHATWG MIME Sniffing), so that case, blanks and parameters can not change the
 * decision. A malformed type, or one that no header can carry, is sent as `application/octet-stream`.
 */
export function servedType(mime: string): ServedType {
  const [written = ''] = mime.split(';', 1);
  const type = written.trim();
  if (!isMediaType(type)) return OPAQUE;
  const essence = type.toLowerCase();
  return {
    contentType: contentTypeOf(essence.startsWith('text/') ? `${type}; charset=utf-8` : type),
    mayBeInline: INLINE_TYPES.has(essence) || INLINE_FAMILY.test(essence),
  };
}

/** A media type with the charset that it has by default. */
export const contentTypeOf = (type: string): string => withCharset(type) || type;

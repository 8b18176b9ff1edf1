const MOST = 255;
/** Maximum length of a first line that becomes a name. */
const MAX_LINE_LENGTH = 120;
/** Unpaired surrogates, which a database would reject. */
const LONE = /\p{Surrogate}/gu;
// Control characters, and bidirectional formatting characters.
// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const REFUSED = new RegExp(`[/\\\\]|${UNSAFE.source}`, 'u');

/**
 * The stored name of an uploaded file: the last segment of the given path, with unsafe characters replaced, shortened
 * before its extension. Always a valid filename.
 */
export function sanitizeUploadName(sent: string): string {
  const last = sent.replaceAll(LONE, '_').normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(UNSAFE, '_').trim();
  if (plain === '' || plain === '.' || plain === '..') return 'unnamed';
  return cut(plain);
}

/** A filename from a title that passed the same validation as a filename. */
export const nameFromTitle = (title: string, extension: string): string =>
  cut(extension === '' ? normalizeFilename(title) : `${normalizeFilename(title)}.${extension}`);

/** A filename in its two parts. The part after the last dot is no extension if it has spaces or is long. */
export function stemOf(filename: string): { readonly stem: string; readonly extension: string } {
  const [, stem = filename, extension = ''] = /^(.+)\.([^.\s]{1,16})$/u.exec(filename) ?? [];
  return { stem, extension };
}

/** A name for a text without a title: its first line, as far as it is valid. */
export function titleFromLine(line: string, otherwise = 'Note'): string {
  const plain = line
    .replaceAll(LONE, '')
    .normalize('NFC')
    .replaceAll(/[/\\]/g, '-')
    .replaceAll(UNSAFE, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const short = [...plain].slice(0, MAX_LINE_LENGTH).join('').trim();
  return short === '' || short === '.' || short === '..' ? otherwise : short;
}

/** Whether a text can be stored as a filename unchanged. */
export const isFilename = (name: string): boolean =>
  name !== '' && [...name].length <= MOST && name !== '.' && name !== '..' && !REFUSED.test(name);

/** NFC, trimmed: the stored form of a valid name. */
export const normalizeFilename = (name: string): string => name.normalize('NFC').trim();

/** Shortens to 255 code points, without shortening a short extension. */
function cut(name: string): string {
  const points = [...name];
  if (points.length <= MOST) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? [...name.slice(dot)] : [];
  if (extension.length === 0 || extension.length > 32) return points.slice(0, MOST).join('').trim();
  return points.slice(0, MOST - extension.length).join('') + extension.join('');
}

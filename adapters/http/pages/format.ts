import { html, type Markup } from '../html.ts';

const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'];

/** A size in bytes for people, with 1000 bytes to the kilobyte. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let size = bytes / 1_000;
  let unit = 0;
  // A value that would be rounded to 1000 is shown in the next unit.
  for (; size >= 999.5 && unit < UNITS.length - 1; unit++) size /= 1_000;
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

export const filesWords = (count: number): string =>
  count === 0 ? 'No files' : count === 1 ? '1 file' : `${count} files`;

/** A waiting time for people. */
export function waitWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

/** The UTC date of an instant in ISO 8601. */
export const day = (instant: string): Markup =>
  html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`;

/** Marks that change the direction of the text behind them. In a name they could hide the extension. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// eslint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** A name for places without markup around it: titles and labels. */
export const plainText = (name: string): string =>
  name.replaceAll(TURNING, '').replaceAll(CONTROLS, ' ').trim();

/** A name in a page. The element isolates the effect of its characters on the text direction. */
export const nameOf = (name: string): Markup => html`<bdi>${plainText(name)}</bdi>`;

const BY_TYPE: readonly (readonly [RegExp, string])[] = [
  [/^application\/pdf$/, 'PDF'],
  [/^image\//, 'Picture'],
  [/^audio\//, 'Sound'],
  [/^video\//, 'Film'],
  [/spreadsheet|ms-excel|csv|tab-separated|numbers/, 'Table'],
  [/presentation|powerpoint|keynote/, 'Slides'],
  [/internet-shortcut/, 'Link'],
  [/^message\/|outlook|mbox/, 'Mail'],
  [/word|opendocument|rtf|epub|ebook|html|pages|multipart/, 'Document'],
  [/zip|compressed|x-tar|x-xz|zstd|vnd\.rar/, 'Archive'],
  [/^text\/|json|xml|javascript/, 'Text'],
];

/** The kind of a file in one word. */
export const kindWord = (mime: string): string =>
  BY_TYPE.find(([type]) => type.test(mime))?.[1] ?? 'File';

/** The text that replaces a thumbnail: the extension of the name, if it is short enough. */
export const tileWord = ({ filename, mime }: { filename: string; mime: string }): string =>
  /\.([a-z0-9]{1,4})$/i.exec(filename)?.[1]?.toUpperCase() ?? kindWord(mime).slice(0, 5);

/** Whether a thumbnail of it can be made. */
export const hasPicture = (mime: string): boolean =>
  /^(application\/pdf|image\/(jpeg|png|apng|webp|gif|tiff|avif|heic))$/.test(mime);

/** Whether browsers can display it. */
export const opensInBrowser = (mime: string): boolean =>
  /^(application\/pdf|image\/(jpeg|png|apng|webp|gif|avif)|text\/plain)$/.test(mime);

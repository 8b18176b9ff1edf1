import type { DocType } from '../../ports/objects.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';

/** What is known of a file without reading it. */
export interface FileFacts {
  readonly kind: ObjectKind;
  readonly format: string;
  readonly filename: string;
}

const PROSE = new Set(' txt md markdown csv log html json xml rst tex adoc ics vcf rtf'.split(' '));
/** How programs name pictures of the screen, in the languages they do so. */
const SCREENSHOT =
  /screen[ _-]?(?:shot|grab|capture|cap)|screencast|скрин(?:шот)?|снимок[ _-]?экрана|bildschirm(?:foto|aufnahme)|capture[ _-]?(?:d[’' _-]?)?[eé]cran|captura[ _-]?de[ _-]?pantalla|截屏|截图|屏幕快照|^scr[ _-]?\d|^ss[ _-]\d{4}|^simulator screen/iu;
/** Photographs are stored in these formats, hardly anything else is. */
const PHOTOGRAPHIC = new Set(['jpg', 'heic', 'avif', 'tiff', 'webp']);
/** Cameras and telephones number their pictures. */
const CAMERA = /^(?:IMG|DSC[NF_]?|DCIM|PXL|P\d{7}|GOPR|MVIMG|Photo|WhatsApp Image)[ _-]?\d*/i;

/** What a file is taken for by its kind and name alone. */
export function docTypeOfFile({ kind, format, filename }: FileFacts): DocType {
  if (kind === 'note') return 'note';
  if (kind === 'spreadsheet') return 'spreadsheet';
  if (kind === 'presentation') return 'presentation';
  if (kind === 'image') return pictureType(format, filename);
  if (kind === 'text' && !PROSE.has(format)) return 'code';
  if (format === 'epub') return 'book';
  return 'other';
}

function pictureType(format: string, filename: string): DocType {
  if (SCREENSHOT.test(filename.normalize('NFC'))) return 'screenshot';
  return PHOTOGRAPHIC.has(format) || CAMERA.test(filename) ? 'photo' : 'other';
}

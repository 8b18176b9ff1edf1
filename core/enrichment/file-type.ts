import type { DocType } from '../../ports/objects.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';

/** Facts about a file that need no reading. */
export interface FileFacts {
  readonly kind: ObjectKind;
  readonly format: string;
  readonly filename: string;
}

const PROSE = new Set(' txt md markdown csv log html json xml rst tex adoc ics vcf rtf'.split(' '));
/** Names that programs give to screenshots, by language. */
const SCREENSHOT =
  /screen[ _-]?(?:shot|grab|capture|cap)|screencast|скрин(?:шот)?|снимок[ _-]?экрана|bildschirm(?:foto|aufnahme)|capture[ _-]?(?:d[’' _-]?)?[eé]cran|captura[ _-]?de[ _-]?pantalla|截屏|截图|屏幕快照|^scr[ _-]?\d|^ss[ _-]\d{4}|^simulator screen/iu;
/** Formats that are mainly used for photographs. */
const PHOTOGRAPHIC = new Set(['jpg', 'heic', 'avif', 'tiff', 'webp']);
/** Numbered names given by cameras and telephones. */
const CAMERA = /^(?:IMG|DSC[NF_]?|DCIM|PXL|P\d{7}|GOPR|MVIMG|Photo|WhatsApp Image)[ _-]?\d*/i;

/** The document type judged by kind and name only. */
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

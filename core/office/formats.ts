import type { OfficeKind } from '../../ports/office.ts';
import type { ContentType } from '../../ports/text-extraction.ts';

interface OfficeFormat {
  readonly kind: OfficeKind;
  /** The document server saves in the same format, or in its successor. */
  readonly editable: boolean;
}

const word = (editable: boolean): OfficeFormat => ({ kind: 'word', editable });
const cell = (editable: boolean): OfficeFormat => ({ kind: 'cell', editable });
const slide = (editable: boolean): OfficeFormat => ({ kind: 'slide', editable });

/**
 * Formats with `editor` `office` that the document server opens. The formats of Office 97 are shown; it edits only a
 * converted copy.
 */
const FORMATS: ReadonlyMap<string, OfficeFormat> = new Map([
  ['docx', word(true)],
  ['odt', word(true)],
  ['rtf', word(true)],
  ['doc', word(false)],
  ['xlsx', cell(true)],
  ['ods', cell(true)],
  ['csv', cell(true)],
  ['xls', cell(false)],
  ['pptx', slide(true)],
  ['odp', slide(true)],
  ['ppt', slide(false)],
]);

export const officeFormat = (format: string): OfficeFormat | undefined => FORMATS.get(format);

/** Bytes of an undetectable type: the document is damaged, encrypted, or of an unknown kind. */
const UNPROVEN: readonly ContentType['kind'][] = ['other', 'text', 'archive'];

/**
 * The type of a saved file, given the type of the document, or undefined if it does not fit: an error page, an image,
 * a spreadsheet instead of a text.
 */
export function savedType(opened: ContentType, saved: ContentType): ContentType | undefined {
  const kind = officeFormat(saved.format)?.kind;
  if (kind !== undefined) return kind === officeFormat(opened.format)?.kind ? saved : undefined;
  return UNPROVEN.includes(saved.kind) ? opened : undefined;
}

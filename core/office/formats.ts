import type { OfficeKind } from '../../ports/office.ts';
import type { ContentType } from '../../ports/text-extraction.ts';

interface OfficeFormat {
  readonly kind: OfficeKind;
  /** The engine saves it in the format it has, or in the one that took its place. */
  readonly editable: boolean;
}

const word = (editable: boolean): OfficeFormat => ({ kind: 'word', editable });
const cell = (editable: boolean): OfficeFormat => ({ kind: 'cell', editable });
const slide = (editable: boolean): OfficeFormat => ({ kind: 'slide', editable });

/** What the engine opens of what has `editor` `office`. The formats of 1997 it shows, and edits only what it has converted. */
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

/** Bytes that prove to be nothing in particular: a document damaged, locked, or of a kind that is not known here. */
const UNPROVEN: readonly ContentType['kind'][] = ['other', 'text', 'archive'];

/**
 * The type of what the engine has saved of a document of a type, or nothing where it is something else: a page that tells
 * of an error, a picture, a table in the place of a text.
 */
export function savedType(opened: ContentType, saved: ContentType): ContentType | undefined {
  const kind = officeFormat(saved.format)?.kind;
  if (kind !== undefined) return kind === officeFormat(opened.format)?.kind ? saved : undefined;
  return UNPROVEN.includes(saved.kind) ? opened : undefined;
}

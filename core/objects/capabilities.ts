import type { StoredObject } from '../../ports/objects.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';

const OFFICE = new Set('docx xlsx pptx odt ods odp doc xls ppt rtf csv'.split(' '));
const EDITABLE_PICTURES = new Set(['jpg', 'png', 'webp']);

export type Editor = 'office' | 'text' | 'image';

/** The operations that an object supports, determined by its kind and format alone. */
export interface Capabilities {
  readonly editor: Editor | null;
  readonly imageEditable: boolean;
  readonly pdfTools: boolean;
  /** A text rendition exists. */
  readonly textView: boolean;
  /** An office format whose text can be edited as text. */
  readonly textFallback: boolean;
}

export function capabilitiesOf(
  object: Pick<StoredObject, 'kind' | 'format' | 'textState'>,
): Capabilities {
  const office = OFFICE.has(object.format);
  const picture = object.kind === 'image' && EDITABLE_PICTURES.has(object.format);
  const textView = object.textState === 'available';
  return {
    editor: office ? 'office' : isText(object) ? 'text' : picture ? 'image' : null,
    imageEditable: picture,
    pdfTools: object.kind === 'pdf',
    textView,
    textFallback: office && textView,
  };
}

/** Notes and text files: their bytes are their text, so they can be saved as a string. */
export const isText = (type: { readonly kind: ObjectKind; readonly format: string }): boolean =>
  type.kind === 'note' || type.kind === 'text' || type.format === 'csv';

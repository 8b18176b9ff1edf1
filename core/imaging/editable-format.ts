import type { ImageFormat, ImageOp } from '../../ports/image-editor.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { PictureSentence } from '../../ports/reasons.ts';
import { capabilitiesOf } from '../objects/index.ts';

const NO_PICTURE: PictureSentence = 'Only jpg, png and webp images can be edited.';
const LOSSLESS: PictureSentence = 'A png cannot be compressed by quality. Only jpg and webp can.';

/** The format of an image to edit, or why the operation is not possible for this kind of file. */
export function editableFormat(
  object: StoredObject,
  op: ImageOp,
): { readonly format: ImageFormat } | { readonly rejection: PictureSentence } {
  if (!capabilitiesOf(object).imageEditable) return { rejection: NO_PICTURE };
  if (op === 'compress' && object.format === 'png') return { rejection: LOSSLESS };
  return { format: object.format as ImageFormat };
}

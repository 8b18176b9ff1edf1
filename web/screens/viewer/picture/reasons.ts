import { ApiError } from '../../../api/errors.ts';
import type { components } from '../../../api/schema.js';
import { messageOf } from '../../../i18n/errors.ts';
import { t } from '../../../i18n/picture.ts';

type Code = NonNullable<components['schemas']['ImageStatus']['error_code']>;
type Text = keyof ReturnType<typeof t>['picture']['reasons'];

const TEXTS: Readonly<Record<Code, Text>> = {
  animated: 'animated',
  too_many_pixels: 'tooManyPixels',
  too_large: 'tooLarge',
  damaged: 'damaged',
  wrong_type: 'otherType',
  lossless: 'lossless',
  in_trash: 'inTrash',
  replaced: 'replaced',
  no_room: 'noRoom',
  timed_out: 'tooMuch',
  out_of_memory: 'tooMuch',
  not_smaller: 'notSmaller',
  not_edited: 'other',
  other: 'other',
};

/** Why an operation ended without a new version, in the owner's language. */
export const reasonText = (code: string): string =>
  t().picture.reasons[new Map<string, Text>(Object.entries(TEXTS)).get(code) ?? 'other'];

/** Why the service refuses an operation. */
export function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error);
  if (error.code === 'too_many_operations') return t().picture.reasons.tooMany;
  return error.status === 415 ? reasonText(error.reason) : messageOf(error);
}

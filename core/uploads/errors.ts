import { defineError } from '../shared/errors.ts';

export const uploadExpired = defineError(
  'gone',
  'upload_expired',
  'The upload has expired. Start it again.',
);
export const offsetMismatch = defineError(
  'conflict',
  'offset_mismatch',
  'The upload continues at another offset. Ask for it with HEAD.',
);
export const checksumMismatch = defineError(
  'checksum-mismatch',
  'checksum_mismatch',
  'The bytes differ from their checksum. Send them again.',
);
export const tooManyOpenUploads = defineError(
  'rate-limited',
  'too_many_open_uploads',
  'Too many uploads are unfinished. Finish or cancel some of them.',
);

import { defineError } from '../shared/errors.ts';

const refused = defineError(
  'invalid-argument',
  'bad_archive',
  'The archive cannot be imported. `detail` says what is wrong with it.',
);

/** @param why one or more sentences for the user. */
export const badArchive = (why: string) =>
  refused({ detail: `The archive cannot be imported. ${why}` });

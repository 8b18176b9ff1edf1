import { defineError } from '../shared/errors.ts';

const refused = defineError(
  'meaningless',
  'bad_archive',
  'The archive can not be taken in. What is wrong with it is said in `detail`.',
);

/** @param why a sentence for a person, or several. */
export const badArchive = (why: string) =>
  refused({ detail: `The archive can not be taken in. ${why}` });

import { defineError } from '../shared/errors.ts';

export const forged = defineError(
  'forbidden',
  'forged_callback',
  'Nothing that the document server has signed says this of this document.',
);
export const unknownStatus = defineError(
  'meaningless',
  'unknown_status',
  'There is no such status of a document.',
);
const upstreamFailed = defineError(
  'upstream-failed',
  'upstream_failed',
  'The document server failed.',
);
/** `reason` is a sentence for a person. */
export const notSaved = (reason: string) => upstreamFailed({}, undefined, reason);

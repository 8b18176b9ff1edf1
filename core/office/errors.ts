import { defineError } from '../shared/errors.ts';

export const forged = defineError(
  'forbidden',
  'forged_callback',
  'The signature of the document server is missing or invalid for this document.',
);
export const unknownStatus = defineError(
  'meaningless',
  'unknown_status',
  'This document status is unknown.',
);
const upstreamFailed = defineError(
  'upstream-failed',
  'upstream_failed',
  'The document server failed.',
);
/** `reason` is a sentence for the user. */
export const notSaved = (reason: string) => upstreamFailed({}, undefined, reason);

import { defineError } from '../shared/errors.ts';

export const invalidSignature = defineError(
  'forbidden',
  'invalid_signature',
  'The signature of the document server is missing or invalid for this document.',
);
export const unknownStatus = defineError(
  'invalid-argument',
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

import { defineError } from '../shared/errors.ts';

const upstreamFailed = defineError('upstream-failed', 'upstream_failed', 'The model failed.');

/** `reason` is a sentence for the user that contains nothing secret. */
export const modelFailed = (reason: string) => upstreamFailed({}, undefined, reason);

import type { ModelError } from '../../ports/language-model.ts';
import { deadlineExceeded, unavailable } from '../shared/common-errors.ts';
import { defineError, type DomainError } from '../shared/errors.ts';

const upstreamFailed = defineError('upstream-failed', 'upstream_failed', 'The model failed.');

/** `reason` is a sentence for the user that contains nothing secret. */
export const modelFailed = (reason: string) => upstreamFailed({}, undefined, reason);

/** Errors of callers by the failure they were made of, for use cases that can wait for a busy model. */
const failures = new WeakMap<DomainError, ModelError>();

/**
 * The error for the caller: `deadline` for a model that is too slow, `unavailable` for one that says when it accepts
 * requests again, else `upstream_failed`.
 */
export function toCallerError(failure: ModelError): DomainError {
  const error = callerErrorOf(failure);
  failures.set(error, failure);
  return error;
}

function callerErrorOf({ kind, message, retryAfterSeconds }: ModelError): DomainError {
  if (kind === 'deadline') return deadlineExceeded();
  return kind === 'busy' && retryAfterSeconds !== null
    ? unavailable({ error_code: 'busy' }, Math.max(retryAfterSeconds, 1), message)
    : modelFailed(message);
}

/** Why the model is busy; undefined for any other error. */
export function busyModelIn(error: unknown): ModelError | undefined {
  const failure = failures.get(error as DomainError);
  return failure?.kind === 'busy' ? failure : undefined;
}

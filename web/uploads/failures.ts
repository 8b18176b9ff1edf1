import type { DetailedError } from 'tus-js-client';
import { ApiError, OfflineError } from '../api/errors.ts';

/** An error of the queue itself: the interface was not called. */
export type LocalReason = 'too-large' | 'no-room' | 'file-gone' | 'other-file';

export class LocalError extends Error {
  readonly reason: LocalReason;

  constructor(reason: LocalReason) {
    super(reason);
    this.name = 'LocalError';
    this.reason = reason;
  }
}

/** A part of the app that is loaded when it is needed. Without a network it can not be: that is repeated like a request. */
export const loaded = <T>(part: Promise<T>): Promise<T> =>
  part.catch((cause: unknown) => {
    throw new OfflineError('A part of the app could not be loaded.', { cause });
  });

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Overload, a restart, another request for the same upload, or a sign-in that has ended. */
const TEMPORARY = new Set([0, 401, 409, 410, 423, 429, 460, 500, 502, 503, 504]);

/** The error of a request of the protocol in the form of the rest of the app. */
export function toError(thrown: unknown): unknown {
  const response = (thrown as Partial<DetailedError>).originalResponse;
  if (response === undefined) return thrown;
  if (response === null || response.getStatus() === 0)
    return new OfflineError('The service could not be reached.', { cause: thrown });
  const body = parse(response.getBody());
  return new ApiError(
    response.getStatus(),
    body.code ?? String(response.getStatus()),
    typeof body.detail === 'string' ? body.detail : '',
    response.getHeader('x-request-id') ?? '',
  );
}

function parse(text: string): { readonly code?: string; readonly detail?: unknown } {
  try {
    return JSON.parse(text) as { readonly code?: string; readonly detail?: unknown };
  } catch {
    // A proxy between answers with a page.
    return {};
  }
}

export const isTemporary = (error: unknown): boolean =>
  error instanceof OfflineError || (error instanceof ApiError && TEMPORARY.has(error.status));

/** Grows with each attempt. */
export const retryDelay = (attempt: number): number =>
  Math.min(MIN_RETRY_MS * 2 ** Math.min(attempt, 10), MAX_RETRY_MS);

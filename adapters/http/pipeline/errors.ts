import { UnavailableError } from '../../../ports/errors.ts';
import { BlobNotFoundError, CorruptBlobError } from '../../../ports/blobs.ts';
import { DomainError, type ErrorKind } from '../../../core/shared/errors.ts';

/** Fails to compile when the core gains a kind of error that HTTP has no status for. */
export const STATUS: Record<ErrorKind, number> = {
  'invalid-argument': 400,
  unauthenticated: 401,
  'quota-exceeded': 402,
  forbidden: 403,
  'not-found': 404,
  'too-slow': 408,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-type': 415,
  'rate-limited': 429,
  // Of the tus protocol.
  'checksum-mismatch': 460,
  'upstream-failed': 502,
  unavailable: 503,
  deadline: 504,
};

/** An error as it is sent. */
export interface ErrorReply {
  readonly status: number;
  readonly body: { readonly detail: unknown; readonly code?: string };
  /** Seconds. */
  readonly retryAfter?: number;
  /** To be logged with its stack: a defect or an outage, not an error of the client. */
  readonly cause?: unknown;
}

/** An error of HTTP itself, which the core does not know. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly reply: ErrorReply;
  constructor(reply: ErrorReply) {
    super(`HTTP ${reply.status}`);
    this.reply = reply;
  }
}

const errorReply = (status: number, code: string, detail: string): ErrorReply => ({
  status,
  body: { detail, code },
});

export const NOT_FOUND = errorReply(404, 'not_found', 'Not Found');
export const METHOD_NOT_ALLOWED = errorReply(405, 'method_not_allowed', 'Method Not Allowed');
export const TOO_LARGE = errorReply(413, 'too_large', 'The request body is too large.');
export const INVALID_UPLOAD = errorReply(
  400,
  'invalid_upload_request',
  'The upload request does not follow the tus protocol.',
);
export const TUS_VERSION_REQUIRED = errorReply(
  412,
  'tus_version_required',
  'Send Tus-Resumable: 1.0.0.',
);
export const UNKNOWN_TYPE = errorReply(
  415,
  'unsupported_type',
  'Send the bytes as application/offset+octet-stream.',
);
export const UNKNOWN_CODING = errorReply(
  415,
  'unsupported_type',
  'The content coding of the body is not supported.',
);
export const TIMED_OUT = errorReply(
  408,
  'request_timeout',
  'The request body did not arrive in time.',
);
export const MALFORMED = errorReply(400, 'malformed_request', 'The request is not valid HTTP.');
export const BAD_HOST = errorReply(
  400,
  'malformed_request',
  'The Host header of the request is missing, repeated or malformed. Send one, with the name of this server.',
);
export const EXPECTATION_FAILED = errorReply(
  417,
  'expectation_failed',
  'The Expect header of the request can not be met. Send 100-continue, or leave it out.',
);
export const HEADERS_TOO_LARGE = errorReply(
  431,
  'headers_too_large',
  'The address and the headers of the request are too large.',
);

const UNAVAILABLE = errorReply(
  503,
  'unavailable',
  'The service can not do this right now. Try again shortly.',
);
/** Shed before it was routed. */
export const OVERLOADED = errorReply(
  503,
  'unavailable',
  'The server is overloaded. Try again in a few seconds.',
);
export const INTERNAL = errorReply(500, 'internal', 'Something went wrong on our side.');
/** Never sent: seen in the access log only. */
export const CLIENT_CLOSED_REQUEST = errorReply(
  499,
  'client_closed_request',
  'The client has gone.',
);
export const RANGE_NOT_SATISFIABLE = errorReply(
  416,
  'range_not_satisfiable',
  'The range lies outside the file.',
);

/** The errors of HTTP itself, for the catalogue. */
export const EDGE_ERRORS = [
  METHOD_NOT_ALLOWED,
  TIMED_OUT,
  TOO_LARGE,
  INVALID_UPLOAD,
  TUS_VERSION_REQUIRED,
  UNKNOWN_CODING,
  RANGE_NOT_SATISFIABLE,
  MALFORMED,
  EXPECTATION_FAILED,
  HEADERS_TOO_LARGE,
  INTERNAL,
].map(({ status, body }) => ({ status, code: body.code ?? '', message: String(body.detail) }));

const OUTAGE_RETRY_SECONDS = 2;

/** The response to an error. Of a defect it says only that there was one. */
export function toErrorReply(error: unknown): ErrorReply {
  if (error instanceof HttpError) return error.reply;
  if (error instanceof DomainError)
    return {
      status: STATUS[error.kind],
      body: { detail: error.message, code: error.code, ...error.details },
      ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    };
  if (error instanceof UnavailableError)
    return {
      ...UNAVAILABLE,
      retryAfter: OUTAGE_RETRY_SECONDS,
      cause: error,
    };
  if (error instanceof BlobNotFoundError)
    return { ...errorReply(500, 'internal', 'The bytes of this file are missing.'), cause: error };
  if (error instanceof CorruptBlobError)
    return {
      ...errorReply(500, 'internal', 'The stored bytes of this file are damaged. Upload it again.'),
      cause: error,
    };
  return { ...INTERNAL, cause: error };
}

export const unprocessable = (detail: readonly unknown[]): HttpError =>
  new HttpError({ status: 422, body: { detail } });

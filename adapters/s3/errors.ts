import { UnavailableError } from '../../ports/errors.ts';

/**
 * `unreachable`: no response, or an incomplete one; `timeout`: no response in time; `malformed`: a response that no S3
 * server sends; `altered`: other bytes than were written; `rejected`: a retry fails in the same way; `throttled`: a
 * retry may succeed.
 */
export type S3ErrorKind =
  'unreachable' | 'timeout' | 'malformed' | 'altered' | 'rejected' | 'throttled';

/** Text of the server is repeated only if it is an error code. */
const CODE = /^\w{1,64}$/;

/** Why one exchange failed. Contains no header and no secret of the request, and no text of the server except codes. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly kind: S3ErrorKind;
  /** Status and error code of the response; 0 and empty without one. */
  readonly status: number;
  readonly code: string;
  constructor(kind: S3ErrorKind, message: string, status = 0, code = '') {
    super(message);
    this.kind = kind;
    this.status = status;
    this.code = CODE.test(code) ? code : '';
  }
}

const RETRYABLE_STATUS = new Set([408, 425, 429, 500, 502, 503, 504, 509]);
const RETRYABLE_CODE = new Set([
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
]);

/** The error for an error response of S3. */
export function errorResponse(status: number, code: string): S3Error {
  const isThrottled = RETRYABLE_STATUS.has(status) || RETRYABLE_CODE.has(code);
  const named = CODE.test(code) ? ` (${code})` : '';
  return new S3Error(
    isThrottled ? 'throttled' : 'rejected',
    `S3 answers with ${status}${named}`,
    status,
    code,
  );
}

export const isRetryable = (error: unknown): boolean =>
  error instanceof S3Error && error.kind !== 'rejected';

/** A connection error, reduced to its code: its other properties may contain parts of the request. */
export function connectionError(error: unknown): unknown {
  if (error instanceof S3Error) return error;
  const { code, name, errors } = error as {
    readonly code?: unknown;
    readonly name?: unknown;
    readonly errors?: readonly unknown[];
  };
  // All addresses of a host name were tried. Each has an error of its own.
  if (error instanceof AggregateError && errors?.length) return connectionError(errors[0]);
  if (name === 'BlockedAddressError')
    return new S3Error(
      'rejected',
      'the address of the server is not one to connect to',
      0,
      'BlockedAddressError',
    );
  if (typeof code === 'string') return new S3Error('unreachable', code);
  return name === 'AbortError' || name === 'HTTPParserError'
    ? new S3Error('unreachable', String(name))
    : error;
}

/** Converts to the error of the port. A programming error is returned unchanged. */
export const storageFailure = (error: unknown): unknown =>
  error instanceof S3Error
    ? new UnavailableError('storage', 'The storage could not read or write the file.', error)
    : error;

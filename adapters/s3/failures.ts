import { PortFailure } from '../../ports/failures.ts';

/**
 * `away`: no answer, or none of the server's own; `slow`: none in time; `garbled`: an answer that is none of S3;
 * `altered`: other bytes than were written; `refused`: a retry would fail in the same way; `busy`: a retry may succeed.
 */
export type S3FailureKind = 'away' | 'slow' | 'garbled' | 'altered' | 'refused' | 'busy';

/** Text written by the server is repeated only where it is a code. */
const CODE = /^\w{1,64}$/;

/** What went wrong with one exchange. Holds nothing of the request but what was asked for: no header, no secret. */
export class S3Failure extends Error {
  override readonly name = 'S3Failure';
  readonly kind: S3FailureKind;
  /** Status and error code of the answer, where there was one. */
  readonly status: number;
  readonly code: string;
  constructor(kind: S3FailureKind, message: string, status = 0, code = '') {
    super(message);
    this.kind = kind;
    this.status = status;
    this.code = CODE.test(code) ? code : '';
  }
}

const BUSY = new Set([408, 425, 429, 500, 502, 503, 504, 509]);
const PASSING = new Set(['RequestTimeout', 'SlowDown', 'InternalError', 'ServiceUnavailable']);

/** What an answer that was not hoped for says. */
export function refusal(status: number, code: string): S3Failure {
  const passing = BUSY.has(status) || PASSING.has(code);
  const named = CODE.test(code) ? ` (${code})` : '';
  return new S3Failure(
    passing ? 'busy' : 'refused',
    `S3 answers with ${status}${named}`,
    status,
    code,
  );
}

/** Worth another try: everything but a refusal. */
export const isPassing = (error: unknown): boolean =>
  error instanceof S3Failure && error.kind !== 'refused';

/** An error of the connection by its code alone: what else it holds is not ours to show. */
export function connectionFailure(error: unknown): unknown {
  if (error instanceof S3Failure) return error;
  const { code, name, errors } = error as {
    readonly code?: unknown;
    readonly name?: unknown;
    readonly errors?: readonly unknown[];
  };
  // Every address of a name was tried, and each has its own error.
  if (error instanceof AggregateError && errors?.length) return connectionFailure(errors[0]);
  if (name === 'AddressRefused')
    return new S3Failure(
      'refused',
      'the address of the server is not one to connect to',
      0,
      'AddressRefused',
    );
  if (typeof code === 'string') return new S3Failure('away', code);
  return name === 'AbortError' || name === 'HTTPParserError'
    ? new S3Failure('away', String(name))
    : error;
}

/** What the port says of it; a defect of our own stays one. */
export const storageFailure = (error: unknown): unknown =>
  error instanceof S3Failure
    ? new PortFailure('storage', 'The storage did not take or give the bytes.', error)
    : error;

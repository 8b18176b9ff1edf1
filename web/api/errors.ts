/** One validation error of a 422. */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** An error that the service answered with. */
export class ApiError extends Error {
  readonly status: number;
  /** The service's code: `version_conflict`. `validation` for a 422. */
  readonly code: string;
  /** To be given to the operator. */
  readonly requestId: string;
  readonly fields: readonly FieldError[];
  /** The code of the reason, where several reasons share one code; '' for none. */
  readonly reason: string;

  constructor(
    status: number,
    code: string,
    detail: string,
    requestId: string,
    fields: readonly FieldError[] = [],
    reason = '',
  ) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.fields = fields;
    this.reason = reason;
  }
}

/** The response was cut off, or is not one of the service. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/** The service could not be reached. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
}

interface ErrorBody {
  readonly detail?: string | readonly FieldError[];
  readonly code?: string;
  readonly error_code?: string;
}

export function toApiError(response: Response, body: unknown): ApiError {
  const { detail, code, error_code: reason } = (body ?? {}) as ErrorBody;
  const id = response.headers.get('x-request-id') ?? '';
  if (Array.isArray(detail)) {
    const fields = detail as readonly FieldError[];
    return new ApiError(response.status, 'validation', fields[0]?.msg ?? '', id, fields);
  }
  const text = typeof detail === 'string' ? detail : '';
  return new ApiError(response.status, code ?? codeOf(response), text, id, [], reason);
}

/** Of an error without a body of the service, such as that of a proxy in front of it. */
function codeOf({ status }: Response): string {
  if (status < 500) return String(status);
  return status === 500 ? 'internal' : 'unavailable';
}

/** The reply of a call, or an error. */
export async function reply<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call.catch(asUnreadable);
  if (!response.ok) throw toApiError(response, error);
  return data as T;
}

/** Reading a body ends with these if it is cut off, or if it is no JSON. */
function asUnreadable(error: unknown): never {
  if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  throw new UnreadableError('The response could not be read.', { cause: error });
}

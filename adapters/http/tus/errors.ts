import { notFound, unavailable } from '../../../core/shared/common-errors.ts';
import { tooLarge } from '../../../core/objects/index.ts';
import { offsetMismatch, uploadExpired } from '../../../core/uploads/index.ts';
import { HttpError, INVALID_UPLOAD, TUS_VERSION_REQUIRED } from '../pipeline/errors.ts';

/** The request violates the protocol (400). */
export const invalidUpload = (detail: string): HttpError =>
  new HttpError({ ...INVALID_UPLOAD, body: { ...INVALID_UPLOAD.body, detail } });

const RETRY_SECONDS = 2;

/** An error of the protocol in the form of the service. The protocol determines most statuses, and no body. */
export function protocolError(status: number, message: string): Error {
  switch (status) {
    case 404:
      return notFound();
    case 409:
      return offsetMismatch();
    case 410:
      return uploadExpired();
    case 412:
      return new HttpError(TUS_VERSION_REQUIRED);
    case 413:
      return tooLarge();
    case 500:
      return unavailable({}, RETRY_SECONDS);
    default:
      return invalidUpload(
        `The upload request is not valid: ${message.trim().replace(/\.+$/, '')}.`,
      );
  }
}

/** What the library threw: an error of the protocol is a plain object there. */
export function toError(thrown: unknown): unknown {
  if (thrown instanceof Error && !('status_code' in thrown)) return thrown;
  const { status_code: status, body } = thrown as {
    readonly status_code?: unknown;
    readonly body?: unknown;
  };
  return typeof status === 'number' ? protocolError(status, String(body)) : thrown;
}

import type { ConnectionSentence } from '../../ports/reasons.ts';
import type { S3Error } from './errors.ts';

const DENIED: ConnectionSentence =
  'The access key does not have permission for this operation in the bucket.';
/** A Map, because the code comes from outside: in an object `constructor` would select an inherited property. */
const BY_CODE = new Map<string, ConnectionSentence>([
  ['BlockedAddressError', 'The address of the server is not one that this service connects to.'],
  ['AccessDenied', DENIED],
  ['InvalidAccessKeyId', 'The server does not know the access key.'],
  ['NoSuchBucket', 'There is no such bucket.'],
  ['RequestTimeTooSkewed', 'The clocks of the server and of this service differ too much.'],
  ['SignatureDoesNotMatch', 'The server does not accept the secret.'],
]);
const WRONG_REGION = new Set([
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'PermanentRedirect',
  'TemporaryRedirect',
]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The error of a bucket in words for its owner. Contains no text of the request. */
export function messageFor({ kind, code, status, message }: S3Error): ConnectionSentence {
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  if (WRONG_REGION.has(code) || REDIRECTS.has(status))
    return 'The bucket is in another region or at another address.';
  const named = code === '' ? '' : ` (${code})`;
  if (status === 403) return DENIED;
  switch (kind) {
    case 'unreachable':
      return `The server cannot be reached, or the connection was lost: ${message}.`;
    case 'timeout':
      return 'The server did not answer in time.';
    case 'malformed':
      return `The server is not an S3 server: ${message}.`;
    case 'altered':
      return 'The bucket returned other bytes than were stored in it. Check the server, or connect another bucket.';
    case 'throttled':
      return `The server is temporarily unavailable: status ${status}${named}.`;
    case 'rejected':
      return `The server rejected the request: status ${status}${named}.`;
  }
}

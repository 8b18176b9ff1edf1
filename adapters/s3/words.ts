import type { S3Failure } from './failures.ts';

const DENIED = 'The key is not allowed to do that in the bucket.';
/** A Map, because the code comes from outside: in an object `constructor` would select an inherited property. */
const BY_CODE = new Map([
  ['AddressRefused', 'The address of the server is not one that this service connects to.'],
  ['AccessDenied', DENIED],
  ['InvalidAccessKeyId', 'The server does not know the access key.'],
  ['NoSuchBucket', 'There is no such bucket.'],
  ['RequestTimeTooSkewed', 'The clock of the server and that of this service differ too much.'],
  ['SignatureDoesNotMatch', 'The server does not accept the secret.'],
]);
const ELSEWHERE = new Set([
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'PermanentRedirect',
  'TemporaryRedirect',
]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What went wrong with a bucket, for its owner. Nothing in it was sent by us. */
export function wordsFor({ kind, code, status, message }: S3Failure): string {
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  if (ELSEWHERE.has(code) || REDIRECTS.has(status))
    return 'The bucket is in another region or at another address.';
  const named = code === '' ? '' : ` (${code})`;
  if (status === 403) return DENIED;
  switch (kind) {
    case 'away':
      return `The server can not be reached, or it broke off: ${message}.`;
    case 'slow':
      return 'The server did not answer in time.';
    case 'garbled':
      return `What answers there is no S3: ${message}.`;
    case 'altered':
      return 'The bucket returned other bytes than were stored in it. Check the server, or connect another bucket.';
    case 'busy':
      return `The server can not do it now: status ${status}${named}.`;
    case 'refused':
      return `The server refuses it: status ${status}${named}.`;
  }
}

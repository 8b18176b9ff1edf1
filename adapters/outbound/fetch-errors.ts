import type { UnreadSentence } from '../../ports/reasons.ts';
import type { FetchOptions, FetchError, FetchErrorCause } from '../../ports/web-pages.ts';
import { BlockedAddressError } from './destination-policy.ts';

/** Ends a fetch with a reason for its owner. */
export class FetchRejectedError extends Error {
  override readonly name = 'FetchRejectedError';
  readonly refusal: FetchError;
  constructor(cause: FetchErrorCause, message: UnreadSentence, passing = false) {
    super(message);
    this.refusal = { outcome: 'refused', cause, message, passing };
  }
}

/** One message for every blocked address, so that it does not reveal the kind of network. */
export const wrongAddress = (): FetchRejectedError =>
  new FetchRejectedError(
    'address',
    'The address leads to a destination that this service does not connect to.',
  );

export const withCredentials = (): FetchRejectedError =>
  new FetchRejectedError(
    'credentials',
    'The address contains a user name or password, which is not sent.',
  );

export const tooManyRedirects = (most: number): FetchRejectedError =>
  new FetchRejectedError('redirects', `The address redirects more than ${most} times.`);

export const challenged = (): FetchRejectedError =>
  new FetchRejectedError('challenge', 'The site asks for a check that only a browser can pass.');

const PASSING = new Set([408, 425, 429]);

export const badStatus = (status: number): FetchRejectedError =>
  new FetchRejectedError(
    'status',
    `The site answers with status ${status}.`,
    status >= 500 || PASSING.has(status),
  );

export const tooLarge = ({ maxBytes }: FetchOptions): FetchRejectedError =>
  new FetchRejectedError(
    'too_large',
    `The page is larger than the limit of ${inMegabytes(maxBytes)} MB.`,
  );

export const tooSlow = ({ timeMs }: FetchOptions): FetchRejectedError =>
  new FetchRejectedError(
    'too_slow',
    `The site did not answer within ${timeMs / 1000} seconds.`,
    true,
  );

export const broken = (): FetchRejectedError =>
  new FetchRejectedError('broken', 'The answer of the site is incomplete or cannot be read.', true);

const inMegabytes = (bytes: number): number => Number((bytes / 2 ** 20).toFixed(1));

const NO_SUCH_NAME = /^(ENOTFOUND|ENODATA)$/;
const NO_RESOLVER = /^(EAI_|ESERVFAIL|ETIMEOUT|EREFUSED)/;
const TLS =
  /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED)/;
const NO_WAY = /^(ECONN|EHOST|ENET|ETIMEDOUT|EADDRNOTAVAIL|EPIPE|EACCES|EPERM|EINVAL)/;
const LATE = /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/;
const GARBLED = /^(UND_ERR_|Z_|ERR_BROTLI|ERR__ERROR|ERR_STREAM_PREMATURE|ERR_PADDING)/;

/** The message for a network error; undefined for a programming error. */
export function toFetchError(error: unknown, bounds: FetchOptions): FetchError | undefined {
  if (error instanceof FetchRejectedError) return error.refusal;
  if (error instanceof BlockedAddressError) return wrongAddress().refusal;
  // Every address of a name was tried, each with its own error.
  if (error instanceof AggregateError) return toFetchError(error.errors[0], bounds);
  const { code = '', name } = error as { readonly code?: string; readonly name?: string };
  if (NO_SUCH_NAME.test(code)) return unresolvable(false);
  if (NO_RESOLVER.test(code)) return unresolvable(true);
  if (TLS.test(code))
    return new FetchRejectedError('tls', 'The certificate of the site is not valid.').refusal;
  if (LATE.test(code)) return tooSlow(bounds).refusal;
  if (NO_WAY.test(code))
    return new FetchRejectedError('unreachable', 'The site cannot be reached.', true).refusal;
  const garbled = name === 'HTTPParserError' || GARBLED.test(code);
  return garbled ? broken().refusal : undefined;
}

const unresolvable = (passing: boolean): FetchError =>
  new FetchRejectedError('unresolvable', 'The host name of the site is unknown.', passing).refusal;

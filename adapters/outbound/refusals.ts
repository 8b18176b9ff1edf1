import type { FetchBounds, FetchRefusal, RefusalCause } from '../../ports/web-pages.ts';
import { AddressRefused } from './destinations.ts';

/** Ends a fetch with a reason for its owner. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: FetchRefusal;
  constructor(cause: RefusalCause, message: string, passing = false) {
    super(message);
    this.refusal = { outcome: 'refused', cause, message, passing };
  }
}

/** One message for every blocked address, so that it does not reveal the kind of network. */
export const wrongAddress = (): Refused =>
  new Refused(
    'address',
    'The address leads to a destination that this service does not connect to.',
  );

export const withCredentials = (): Refused =>
  new Refused('credentials', 'The address contains a user name or password, which is not sent.');

export const tooManyRedirects = (most: number): Refused =>
  new Refused('redirects', `The address redirects more than ${most} times.`);

const PASSING = new Set([408, 425, 429]);

export const badStatus = (status: number): Refused =>
  new Refused(
    'status',
    `The site answers with status ${status}.`,
    status >= 500 || PASSING.has(status),
  );

export const tooLarge = ({ maxBytes }: FetchBounds): Refused =>
  new Refused('too_large', `The page is larger than the limit of ${inMegabytes(maxBytes)} MB.`);

export const tooSlow = ({ timeMs }: FetchBounds): Refused =>
  new Refused('too_slow', `The site did not answer within ${timeMs / 1000} seconds.`, true);

export const broken = (): Refused =>
  new Refused('broken', 'The answer of the site is incomplete or cannot be read.', true);

const inMegabytes = (bytes: number): number => Number((bytes / 2 ** 20).toFixed(1));

const NO_SUCH_NAME = /^(ENOTFOUND|ENODATA)$/;
const NO_RESOLVER = /^(EAI_|ESERVFAIL|ETIMEOUT|EREFUSED)/;
const TLS =
  /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED)/;
const NO_WAY = /^(ECONN|EHOST|ENET|ETIMEDOUT|EADDRNOTAVAIL|EPIPE|EACCES|EPERM|EINVAL)/;
const LATE = /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/;
const GARBLED = /^(UND_ERR_|Z_|ERR_BROTLI|ERR__ERROR|ERR_STREAM_PREMATURE|ERR_PADDING)/;

/** The message for a network error; undefined for a programming error. */
export function refusalOf(error: unknown, bounds: FetchBounds): FetchRefusal | undefined {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof AddressRefused) return wrongAddress().refusal;
  // Every address of a name was tried, each with its own error.
  if (error instanceof AggregateError) return refusalOf(error.errors[0], bounds);
  const { code = '', name } = error as { readonly code?: string; readonly name?: string };
  if (NO_SUCH_NAME.test(code)) return unresolvable(false);
  if (NO_RESOLVER.test(code)) return unresolvable(true);
  if (TLS.test(code))
    return new Refused('tls', 'The certificate of the site is not valid.').refusal;
  if (LATE.test(code)) return tooSlow(bounds).refusal;
  if (NO_WAY.test(code))
    return new Refused('unreachable', 'The site cannot be reached.', true).refusal;
  const garbled = name === 'HTTPParserError' || GARBLED.test(code);
  return garbled ? broken().refusal : undefined;
}

const unresolvable = (passing: boolean): FetchRefusal =>
  new Refused('unresolvable', 'The host name of the site is unknown.', passing).refusal;

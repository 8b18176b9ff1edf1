import { IdentityProviderError } from '../../../ports/identity-provider.ts';
import { toFetchError } from '../fetch-errors.ts';
import type { FetchErrorCause } from '../../../ports/web-pages.ts';

export const unavailable = (reason: string): IdentityProviderError =>
  new IdentityProviderError('unavailable', reason);
export const rejected = (reason: string): IdentityProviderError =>
  new IdentityProviderError('rejected', reason);

export const tooSlow = (ms: number): IdentityProviderError =>
  unavailable(`The identity provider did not answer within ${ms / 1000} seconds.`);
export const tooLarge = (): IdentityProviderError =>
  rejected('The identity provider sends more data than allowed.');
export const unsafeAddress = (): IdentityProviderError =>
  rejected('The identity provider names an address that is neither https nor on this machine.');
export const failing = (status: number): IdentityProviderError =>
  unavailable(`The identity provider answers with status ${status}.`);
export const tooMany = (): IdentityProviderError =>
  unavailable('Too many sign-ins wait for the identity provider.');
export const closing = (): IdentityProviderError => unavailable('The service is closing.');

const BY_CAUSE: Partial<Record<FetchErrorCause, string>> = {
  address: 'The identity provider has a private address that OUTBOUND_ALLOW does not list.',
  unresolvable: 'The host name of the identity provider is unknown.',
  unreachable: 'The identity provider cannot be reached.',
  tls: 'The certificate of the identity provider is not valid.',
};

/** Maps a network error; a programming error is returned unchanged. */
export function toNetworkError(error: unknown): unknown {
  if (error instanceof IdentityProviderError) return error;
  const fetchError = toFetchError(error, { maxBytes: 0, timeMs: 0, contentType: 'page' });
  if (!fetchError) return error;
  return unavailable(
    BY_CAUSE[fetchError.cause] ?? 'The answer of the identity provider is incomplete.',
  );
}

/** Errors of the libraries whose messages are fixed texts. Other messages may quote a token. */
const WITH_FIXED_MESSAGE = new Set([
  'ClientError',
  'OperationProcessingError',
  'UnsupportedOperationError',
]);
/** The codes that providers send (RFC 6749 §4.1.2.1, §5.2; OpenID Connect Core §3.1.2.6). */
const CODE = /^[a-z_]{1,50}$/;
/** Codes of a refusal, and of a provider that is overloaded. */
const REFUSED = new Set(['access_denied', 'consent_required', 'login_required']);
const OVERLOADED = new Set(['temporarily_unavailable', 'server_error']);

/**
 * What a failed step means. The errors of the library carry responses with tokens in their causes, so only codes and fixed
 * messages are read from them.
 */
export function toProviderError(error: unknown): IdentityProviderError {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (each instanceof IdentityProviderError) return each;
  if (!(error instanceof Error)) return rejected('The answer of the identity provider is wrong.');
  const { name, cause } = error;
  const code = (error as { readonly error?: unknown }).error;
  if (typeof code === 'string') {
    const known = CODE.test(code) ? code : 'an unknown error';
    if (name === 'AuthorizationResponseError' && REFUSED.has(code))
      return new IdentityProviderError('denied', `The identity provider refuses: ${known}.`);
    const reason = `The identity provider answers with ${known}.`;
    return OVERLOADED.has(code) ? unavailable(reason) : rejected(reason);
  }
  const precise = cause instanceof Error && WITH_FIXED_MESSAGE.has(cause.name) ? cause : error;
  const why = WITH_FIXED_MESSAGE.has(precise.name) ? precise.message : precise.name;
  return rejected(`The answer of the identity provider is wrong: ${why}.`);
}

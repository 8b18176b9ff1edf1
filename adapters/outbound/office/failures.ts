import { DownloadError } from '../../../ports/office.ts';
import type { ConnectionSentence } from '../../../ports/reasons.ts';
import type { FetchErrorCause } from '../../../ports/web-pages.ts';
import { toFetchError } from '../fetch-errors.ts';

const CUT_OFF: ConnectionSentence = 'The answer of the document server was cut off.';

/** Every sentence has a code: see ports/reasons.ts. */
const failed = (reason: ConnectionSentence): DownloadError => new DownloadError(reason);

export const tooSlow = (ms: number): DownloadError =>
  failed(`The document server did not answer within ${ms / 1000} seconds.`);
export const tooLarge = (): DownloadError =>
  failed('The document server sends more data than allowed.');
export const cutOff = (): DownloadError => failed(CUT_OFF);
export const empty = (): DownloadError => failed('The document server sent an empty file.');
export const unexpectedEncoding = (): DownloadError =>
  failed('The answer of the document server cannot be read.');
export const elsewhere = (): DownloadError => failed('The file is not on the document server.');
export const redirected = (status: number): DownloadError =>
  failed(
    `The document server redirects away from its configured address, which is not followed (status ${status}).`,
  );

export const rejectedWith = (status: number): DownloadError =>
  failed(`The document server answers with status ${status}.`);

const BY_CAUSE: Partial<Record<FetchErrorCause, ConnectionSentence>> = {
  unresolvable: 'The host name of the document server is unknown.',
  unreachable: 'The document server cannot be reached.',
  tls: 'The certificate of the document server is not valid.',
};

/** Maps a network error; a programming error is returned unchanged. */
export function failureOf(error: unknown): unknown {
  if (error instanceof DownloadError) return error;
  const fetchError = toFetchError(error, { maxBytes: 0, timeMs: 0, contentType: 'page' });
  if (!fetchError) return error;
  return failed(BY_CAUSE[fetchError.cause] ?? CUT_OFF);
}

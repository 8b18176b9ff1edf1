import { DownloadRefused } from '../../../ports/office.ts';
import type { RefusalCause } from '../../../ports/web-pages.ts';
import { refusalOf } from '../refusals.ts';

export const tooSlow = (ms: number): DownloadRefused =>
  new DownloadRefused(`The document server did not answer within ${ms / 1000} seconds.`);
export const tooLarge = (): DownloadRefused =>
  new DownloadRefused('The document server sends more data than allowed.');
export const cutOff = (): DownloadRefused =>
  new DownloadRefused('The answer of the document server was cut off.');
export const empty = (): DownloadRefused =>
  new DownloadRefused('The document server sent an empty file.');
export const packed = (): DownloadRefused =>
  new DownloadRefused('The answer of the document server cannot be read.');
export const elsewhere = (): DownloadRefused =>
  new DownloadRefused('The file is not on the document server.', 'elsewhere');

export const refusedWith = (status: number): DownloadRefused =>
  status >= 300 && status < 400
    ? elsewhere()
    : new DownloadRefused(`The document server answers with status ${status}.`);

const BY_CAUSE: Partial<Record<RefusalCause, string>> = {
  unresolvable: 'The host name of the document server is unknown.',
  unreachable: 'The document server cannot be reached.',
  tls: 'The certificate of the document server is not valid.',
};

/** Maps a network error; a programming error is returned unchanged. */
export function failureOf(error: unknown): unknown {
  if (error instanceof DownloadRefused) return error;
  const refusal = refusalOf(error, { maxBytes: 0, timeMs: 0, wanted: 'page' });
  if (!refusal) return error;
  return new DownloadRefused(BY_CAUSE[refusal.cause] ?? cutOff().message);
}

import { DownloadRefused } from '../../../ports/office.ts';
import type { RefusalCause } from '../../../ports/web-pages.ts';
import { refusalOf } from '../refusals.ts';

export const tooSlow = (ms: number): DownloadRefused =>
  new DownloadRefused(`The document server did not answer within ${ms / 1000} seconds.`);
export const tooLarge = (): DownloadRefused =>
  new DownloadRefused('The document server sends more than is taken of it.');
export const cutOff = (): DownloadRefused =>
  new DownloadRefused('The answer of the document server was cut off.');
export const empty = (): DownloadRefused =>
  new DownloadRefused('The document server sent an empty file.');
export const packed = (): DownloadRefused =>
  new DownloadRefused('The answer of the document server can not be read.');
export const elsewhere = (): DownloadRefused =>
  new DownloadRefused('The file does not lie with the document server.', 'elsewhere');

export const refusedWith = (status: number): DownloadRefused =>
  status >= 300 && status < 400
    ? elsewhere()
    : new DownloadRefused(`The document server answers with status ${status}.`);

const BY_CAUSE: Partial<Record<RefusalCause, string>> = {
  unresolvable: 'There is no document server of this name.',
  unreachable: 'The document server can not be reached.',
  tls: 'The document server can not prove who it is: its certificate is not valid.',
};

/** What an error of the network says; one of our own defects is given back as it is. */
export function failureOf(error: unknown): unknown {
  if (error instanceof DownloadRefused) return error;
  const refusal = refusalOf(error, { maxBytes: 0, timeMs: 0, wanted: 'page' });
  if (!refusal) return error;
  return new DownloadRefused(BY_CAUSE[refusal.cause] ?? cutOff().message);
}

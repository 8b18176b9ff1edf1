import { SERVICE } from '../../app/address.ts';
import { toApiError } from '../../api/errors.ts';
import { requestOf } from '../../api/request.ts';
import type { DocumentDetail } from './kinds.ts';

type Content = Pick<DocumentDetail, 'id' | 'version'>;

/** The bytes of a version. With `isInline` a browser shows what it may show. */
export const contentAddress = (
  { id, version }: Content,
  disposition: 'inline' | 'attachment' = 'inline',
): string => `${SERVICE}/v1/objects/${id}/content?disposition=${disposition}&version=${version}`;

/** Reads the bytes of a version with the session, and the unlock token if there is one. */
export async function readContent(content: Content, signal: AbortSignal): Promise<ArrayBuffer> {
  const request = new Request(new URL(contentAddress(content, 'attachment'), location.origin), {
    signal,
  });
  const response = await requestOf(request);
  if (!response.ok) throw toApiError(response, await response.json().catch(() => ({})));
  return response.arrayBuffer();
}

/** Saves a version as a file. Bytes of hidden documents pass through the memory of the tab, without an address. */
export async function downloadContent(
  content: Pick<DocumentDetail, 'id' | 'version' | 'is_hidden' | 'filename'>,
): Promise<void> {
  const link = document.createElement('a');
  link.download = content.filename;
  if (!content.is_hidden) {
    link.href = contentAddress(content, 'attachment');
    link.click();
    return;
  }
  const blob = new Blob([await readContent(content, new AbortController().signal)]);
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

import { SERVICE } from '../app/address.ts';
import { toApiError } from '../api/errors.ts';
import { requestOf } from '../api/request.ts';
import type { UploadItem } from './items.ts';

interface Uploaded {
  readonly id: string;
  readonly display_name: string;
  readonly duplicate: boolean;
}

/**
 * Sends a file into the hidden zone in one request: a resumable upload would leave its name with the service while the zone
 * is locked. The request carries the unlock token and ends when the zone locks.
 */
export async function sendHidden(
  item: UploadItem & { readonly file: File },
  signal: AbortSignal,
): Promise<Uploaded> {
  const body = new FormData();
  body.append('file', item.file, item.name);
  body.append('is_hidden', 'true');
  body.append('on_duplicate', item.keepsDuplicate ? 'keep' : 'return');
  const address = `${SERVICE || location.origin}/v1/uploads`;
  const response = await requestOf(new Request(address, { method: 'POST', body, signal }));
  const answer = (await response.json()) as { readonly items: readonly Uploaded[] };
  const [uploaded] = response.ok ? answer.items : [];
  if (!uploaded) throw toApiError(response, answer);
  return uploaded;
}

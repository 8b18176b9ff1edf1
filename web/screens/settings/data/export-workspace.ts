import { SERVICE } from '../../../app/address.ts';
import { ApiError, toApiError } from '../../../api/errors.ts';
import { requestOf } from '../../../api/request.ts';
import { whileUnlocked } from '../../../state/zone-token.ts';

const address = (): string => `${SERVICE || location.origin}/v1/export`;

/**
 * Downloads the workspace. With a locked zone the browser itself does, without anything in memory: `started`. With an open
 * zone the request needs the unlock token, so that the file passes through the memory of the tab: `saved`.
 */
export async function exportWorkspace(
  signal: AbortSignal,
  onReceived: (bytes: number) => void,
): Promise<'started' | 'saved'> {
  if (whileUnlocked()) {
    const response = await requestOf(new Request(address(), { signal }));
    if (!response.ok) throw toApiError(response, await response.json().catch(() => undefined));
    const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    const blob = await collect(response, onReceived);
    const link = download(URL.createObjectURL(blob), name ?? 'owner-workspace.zip');
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return 'saved';
  }
  // An error would be saved as the file.
  const head = await requestOf(new Request(address(), { method: 'HEAD', signal }));
  // A response to HEAD has no body, and a session has every right but this one.
  if (head.status === 403)
    throw new ApiError(403, 'sign_in_again', '', head.headers.get('x-request-id') ?? '');
  if (!head.ok) throw toApiError(head, undefined);
  download(address(), '');
  return 'started';
}

async function collect(response: Response, onReceived: (bytes: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    received += part.value.length;
    onReceived(received);
  }
  return new Blob(parts, { type: 'application/zip' });
}

function download(href: string, name: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  return link;
}

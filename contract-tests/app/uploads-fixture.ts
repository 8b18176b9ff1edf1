import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Served } from '../http/harness.ts';
import type { AppTab } from './app-fixture.ts';

export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export const textFile = (name: string, text: string): GivenFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Writes a file that the browser reads itself, however busy the machine is, and returns its path. */
export async function fileOnDisk(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** Chooses files by the menu of what can be added: bytes, or paths on this machine. */
export async function chooseFiles(
  page: Page,
  files: readonly GivenFile[] | readonly string[],
  choice: 'Files' | 'A folder' = 'Files',
): Promise<void> {
  const opened = page.waitForEvent('filechooser');
  await page
    .getByRole('button', { name: 'Add', exact: true })
    .filter({ visible: true })
    .first()
    .click();
  await page.locator('.add-choices').getByRole('button', { name: choice }).click();
  await (await opened).setFiles([...files] as GivenFile[] | string[]);
}

export const tray = (page: Page): Locator => page.locator('.tray');

/** The row of a file in the tray, once it has a state. */
export const rowOf = (page: Page, name: string, state?: string): Locator =>
  tray(page)
    .locator(state === undefined ? 'li' : `li[data-state=${state}]`)
    .filter({ hasText: name });

/** Limits what the page may send, in bytes a second; -1 for no limit. */
export type Network = (offline: boolean, bytesPerSecond?: number) => Promise<void>;

export async function networkOf(page: Page): Promise<Network> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  return async (offline, bytesPerSecond = -1) => {
    await session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  };
}

/** Requests that have sent anything of a file, from now on. */
export function uploadsOf(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'OPTIONS' && pathname.startsWith('/v1/uploads'))
      sent.push(`${request.method()} ${pathname}`);
  });
  return sent;
}

interface Listed {
  readonly id: string;
  readonly filename: string;
  readonly collection_name: string | null;
}

export async function listed(
  service: Served,
  { token }: Pick<AppTab, 'token'>,
): Promise<readonly Listed[]> {
  const { json } = await service.call('GET', '/v1/objects?limit=100', { token });
  return json.items as readonly Listed[];
}

export async function contentOf(
  service: Served,
  { token }: Pick<AppTab, 'token'>,
  id: string,
): Promise<Buffer> {
  const response = await fetch(`${service.base}/v1/objects/${id}/content`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return Buffer.from(await response.arrayBuffer());
}

/** Drops files on what is at a selector, as a program beside the browser would. */
export async function dropFiles(
  page: Page,
  files: readonly { readonly name: string; readonly text: string }[],
  selector = 'main',
  type: 'dragover' | 'drop' | 'paste' = 'drop',
): Promise<void> {
  await page.evaluate(
    ({ given, at, kind }) => {
      const data = new DataTransfer();
      for (const { name, text } of given)
        data.items.add(new File([text], name, { type: 'text/plain' }));
      const target = document.querySelector(at);
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
      target?.dispatchEvent(event);
    },
    { given: files, at: selector, kind: type },
  );
}

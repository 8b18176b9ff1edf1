import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { eventually, type Served } from '../http/harness.ts';
import type { AppTab } from './app-fixture.ts';
import { addFile } from './viewer-fixture.ts';

type Token = Pick<AppTab, 'token'>;

const STATEMENT =
  'Bank statement\nAccount statement for account 12345678\nOpening balance 1,204.50\nClosing balance 980.10\nTransactions: direct debit, deposit, withdrawal';

/** A call of the owner that has to succeed. Returns what it answers. */
export async function callAs(
  service: Served,
  { token }: Token,
  method: string,
  path: string,
  body?: object,
) {
  const { status, json, text } = await service.call(method, path, { token, ...(body && { body }) });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return json;
}

export interface SharedFolder {
  readonly id: string;
  readonly minutes: string;
  readonly statement: string;
}

/** A folder with minutes, and with a statement of a bank, which is rarely meant for others. */
export async function addSharedFolder(
  service: Served,
  owner: Token,
  name = 'Trustees',
): Promise<SharedFolder> {
  const { id } = await callAs(service, owner, 'POST', '/v1/collections', { name });
  const add = async (file: string, text: string): Promise<string> => {
    const added = await addFile(service, owner, file, text);
    await callAs(service, owner, 'PUT', `/v1/objects/${added}/collection`, { collection_id: id });
    return added;
  };
  const minutes = await add(`${name}, minutes.txt`, 'The mercury bath: two prices in hand.');
  const statement = await add(`${name}, account.txt`, STATEMENT);
  await eventually(
    () => callAs(service, owner, 'GET', `/v1/objects/${statement}`),
    ({ enrichment }) => enrichment?.doc_type === 'bank_statement',
  );
  return { id, minutes, statement };
}

/** Makes a link by the interface. */
export const shareOf = (service: Served, owner: Token, body: object) =>
  callAs(service, owner, 'POST', '/v1/shares', { kind: 'folder', ...body });

/** What a camera reads from the code on the page. */
export async function scannedText(page: Page): Promise<string> {
  const picture = await page.locator('.qr').screenshot();
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) });
}

const fileNamed = (n: number, filename: string) => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  filename,
  mime: 'text/plain',
  size: 1_000,
  created_at: '2026-11-12T10:00:00.000Z',
});

/** The preview of a folder with `total` files, of which the service names the first 100. The oldest is a passport. */
export const previewOf = (total: number) => ({
  contents: {
    kind: 'folder',
    name: '',
    resource_name: 'Trustees',
    role: 'viewer',
    has_password: false,
    unlocked: true,
    expires_at: null,
    items: Array.from({ length: Math.min(total, 100) }, (_, n) => fileNamed(n, `letter ${n}.txt`)),
    total,
  },
  warnings: [
    {
      doc_type: 'id_document',
      count: 1,
      items: [fileNamed(total - 1, 'Passport of A. Solheim.jpg')],
    },
  ],
});

export const rowOf = (page: Page, name: string) =>
  page.locator('.shares-table tbody tr').filter({ hasText: name });

/** Whether the page is wider than the window. */
export const sidewaysOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

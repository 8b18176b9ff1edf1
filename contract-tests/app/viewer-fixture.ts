import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Served } from '../http/harness.ts';
import type { AppTab } from './app-fixture.ts';

export const sample = (name: string): Promise<Buffer> =>
  readFile(new URL(`../samples/${name}`, import.meta.url));

/** Uploads a file for the owner of the tab, and waits until it was read. Returns its id. */
export async function addFile(
  service: Served,
  { token }: Pick<AppTab, 'token'>,
  name: string,
  bytes: Uint8Array | string,
): Promise<string> {
  const { json } = await service.uploadAll([[name, bytes]], {}, { token });
  const { id } = json.items[0];
  await service.settled(id, { token });
  return id;
}

export interface Place {
  /** `#t=8123-8240` */
  readonly hash: string;
  readonly words: string;
}

/** The place of words in the text of a document, in code points, as a citation has it. */
export async function placeOf(
  service: Served,
  { token }: Pick<AppTab, 'token'>,
  id: string,
  pattern: RegExp,
): Promise<Place> {
  const { json } = await service.call('GET', `/v1/objects/${id}/text`, { token });
  const found = pattern.exec(json.text);
  if (!found) throw new Error(`${String(pattern)} is not in the text: ${json.text.slice(0, 300)}`);
  const start = [...json.text.slice(0, found.index)].length;
  return { hash: `#t=${start}-${start + [...found[0]].length}`, words: found[0] };
}

/** Letters and digits alone: pages and texts differ in spaces and hyphens. */
export const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The words that are marked on the page as cited: by the highlights of the browser, or in the text. */
export const citedWords = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const marked = [...document.querySelectorAll('mark.cited-words')];
    if (marked.length > 0) return marked.map(({ textContent }) => textContent).join('');
    const ranges = [...(CSS.highlights.get('cited') ?? [])];
    return ranges.map((range) => (range as Range).toString()).join(' ');
  });

/** Waits until cited words are marked. */
export async function waitForMark(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('mark.cited-words, .word-box') !== null ||
      (CSS.highlights.get('cited')?.size ?? 0) > 0,
  );
}

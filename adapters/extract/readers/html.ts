import { parseHTML } from 'linkedom';
import { normalizeText } from './text-normalization.ts';
import { decodeText } from './decode.ts';
import { measureDepth } from './html-depth.ts';
import { UnreadableFileError, type ReaderResult } from './reader-result.ts';
import { renderText, type DomNode } from './render.ts';

const LONGEST = 20_000_000;
const DEEPEST = 1000;
const MAX_ELEMENTS = 500_000;

export interface DomElement extends DomNode {
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): ArrayLike<DomElement>;
}
export interface Page {
  readonly document: DomElement;
}

/** A web page: all visible text except navigation, in source order. */
export async function readHtml(bytes: Uint8Array): Promise<ReaderResult> {
  const html = await decodeText(bytes, declaredEncoding(bytes));
  const { document } = parsePage(html);
  return {
    source: 'extracted',
    title: titleOf(document),
    pages: [{ text: normalizeText(renderText(document)), continues: false }],
    prose: true,
  };
}

/** Limits are checked before parsing: a stack overflow on 200 000 nested elements cannot be caught. */
export function parsePage(html: string): Page {
  if (html.length > LONGEST) throw new UnreadableFileError('The page is too long to be read.');
  const { depth, elements } = measureDepth(html, DEEPEST);
  if (depth > DEEPEST)
    throw new UnreadableFileError('The elements of the page are nested too deeply.');
  if (elements > MAX_ELEMENTS) throw new UnreadableFileError('The page has too many elements.');
  return parseHTML(html) as unknown as Page;
}

/** The encoding declared by a page (HTML §13.2.3.2), within the bytes in which it has to be. */
export function declaredEncoding(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1] ?? '';
}

export const titleOf = (document: DomElement): string =>
  document.querySelector('head > title, title')?.textContent?.trim() ||
  document.querySelector('h1')?.textContent ||
  '';

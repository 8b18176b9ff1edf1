import { parseHTML } from 'linkedom';
import { normalised } from './characters.ts';
import { decodeText } from './decode.ts';
import { depthOf } from './depth.ts';
import { Refusal, type Reading } from './reading.ts';
import { renderText, type DomNode } from './render.ts';

const LONGEST = 20_000_000;
const DEEPEST = 1000;
const MOST_ELEMENTS = 500_000;

export interface DomElement extends DomNode {
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): ArrayLike<DomElement>;
}
export interface Page {
  readonly document: DomElement;
}

/** A web page: all visible text except navigation, in source order. */
export async function readHtml(bytes: Uint8Array): Promise<Reading> {
  const html = await decodeText(bytes, declaredEncoding(bytes));
  const { document } = parsePage(html);
  return {
    source: 'extracted',
    title: titleOf(document),
    pages: [{ text: normalised(renderText(document)), continues: false }],
    prose: true,
  };
}

/** Limits are checked before parsing: a stack overflow on 200 000 nested elements cannot be caught. */
export function parsePage(html: string): Page {
  if (html.length > LONGEST) throw new Refusal('The page is too long to be read.');
  const { depth, elements } = depthOf(html, DEEPEST);
  if (depth > DEEPEST) throw new Refusal('The elements of the page are nested too deeply.');
  if (elements > MOST_ELEMENTS) throw new Refusal('The page has too many elements.');
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

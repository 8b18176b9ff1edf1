import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { normalised } from './characters.ts';
import { decodeText } from './decode.ts';
import { depthOf } from './depth.ts';
import { Refusal, type Reading } from './reading.ts';
import { renderText, type DomNode } from './render.ts';

const LONGEST = 20_000_000;
const DEEPEST = 1000;
const MOST_ELEMENTS = 500_000;
/** Above this many, the search for the article would take longer than the reading. */
const MOST_SCORED = 30_000;
/** Share of a page's sentences that its article has to hold, to be taken for the whole of it. */
const ENOUGH = 0.9;

interface DomElement extends DomNode {
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): ArrayLike<DomElement>;
}
export interface Page {
  readonly document: DomElement;
  readonly elements: number;
}

/** A web page: its article where it has one, else everything on it but navigation. */
export async function readHtml(bytes: Uint8Array): Promise<Reading> {
  const html = await decodeText(bytes, declaredEncoding(bytes));
  const page = parsePage(html);
  const article = articleOf(page, html);
  return {
    source: 'extracted',
    title: titleOf(page.document),
    pages: [{ text: normalised(renderText(article ?? page.document)), continues: false }],
    prose: true,
  };
}

/** Bounds come before parsing: what 200 000 nested elements do to a parser cannot be caught. */
export function parsePage(html: string): Page {
  if (html.length > LONGEST) throw new Refusal('The page is too long to be read.');
  const { depth, elements } = depthOf(html, DEEPEST);
  if (depth > DEEPEST) throw new Refusal('The elements of the page are nested too deeply.');
  if (elements > MOST_ELEMENTS) throw new Refusal('The page has too many elements.');
  const { document } = parseHTML(html) as unknown as Pick<Page, 'document'>;
  return { document, elements };
}

/** What a page says of its own encoding (HTML §13.2.3.2), within the bytes where it has to be. */
function declaredEncoding(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1] ?? '';
}

const titleOf = (document: DomElement): string =>
  document.querySelector('head > title, title')?.textContent?.trim() ||
  document.querySelector('h1')?.textContent ||
  '';

/**
 * The article as Readability finds it. It throws away what looks like no article, tables and lists among
 * it, so it is believed only when next to nothing but links is missing from it.
 */
function articleOf({ document, elements }: Page, html: string): DomElement | undefined {
  const prose = proseOf(document);
  // The parser adds no `html` and no `body` to a page that leaves them out, and Readability needs both.
  const complete = document.querySelector('html > body') !== null;
  if (!complete || elements > MOST_SCORED || prose === 0) return undefined;
  // It takes the document apart, so it gets one of its own.
  const copy = parsePage(html).document;
  const found = new Readability(copy, { serializer: (node: unknown) => node }).parse();
  const article = found?.content as DomElement | null | undefined;
  return article && proseOf(article) >= prose * ENOUGH ? article : undefined;
}

/** Characters that are not part of a link, of navigation or of the page's own heading. */
function proseOf(root: DomElement): number {
  let length = 0;
  const walk = (node: DomNode): void => {
    if (node.nodeType === 3) length += (node.textContent ?? '').replace(/\s+/g, ' ').length;
    else if (!NOT_PROSE.has(node.nodeName.toUpperCase())) Array.from(node.childNodes).forEach(walk);
  };
  walk(root);
  return length;
}

const NOT_PROSE = new Set(
  'A NAV H1 FOOTER SCRIPT STYLE NOSCRIPT TEMPLATE HEAD SVG BUTTON SELECT'.split(' '),
);

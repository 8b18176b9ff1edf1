import { Readability } from '@mozilla/readability';
import iconv from 'iconv-lite';
import type { WebPageMetadata, PageOrigin } from '../../../ports/text-extraction.ts';
import { MAX_URL_LENGTH, PAGE_LENGTHS } from '../process/protocol.ts';
import { normalizeText, oneLine } from './text-normalization.ts';
import { decodeText } from './decode.ts';
import { declaredEncoding, parsePage, titleOf, type DomElement } from './html.ts';
import type { ReaderResult } from './reader-result.ts';
import { renderText } from './render.ts';

/** Article extraction takes quadratic time; longer pages are read as a whole. */
const MAX_ELEMENTS = 10_000;
/** Minimum length of an article in UTF-16 units; a shorter one may be a banner. */
const MIN_ARTICLE_LENGTH = 250;

/** A web page: its article, or the whole page if there is none, and its metadata. */
export async function readWebPage(bytes: Uint8Array, origin: PageOrigin): Promise<ReaderResult> {
  const declared = [origin.charset, declaredEncoding(bytes)].find(
    (name) => name !== '' && iconv.encodingExists(name),
  );
  const { document } = parsePage(await decodeText(bytes, declared));
  const page = factsOf(document, origin.url);
  // Read before article extraction, which modifies the DOM.
  const whole = normalizeText(renderText(document));
  const article = normalizeText(articleOf(document));
  return {
    source: 'extracted',
    title: page.title,
    pages: [{ text: article.length < MIN_ARTICLE_LENGTH ? whole : article, continues: false }],
    prose: true,
    page,
  };
}

function articleOf(document: DomElement): string {
  if (document.querySelectorAll('*').length > MAX_ELEMENTS) return '';
  const found = new Readability(document, {
    serializer: (node: unknown) => node as DomElement,
  }).parse();
  return found?.content ? renderText(found.content) : '';
}

function factsOf(document: DomElement, url: string): WebPageMetadata {
  const told = metaOf(document);
  const line = (text: string, most: number) => oneLine(text, most);
  return {
    title: line(titleOf(document) || told('og:title', 'twitter:title'), PAGE_LENGTHS.title),
    siteName: line(told('og:site_name', 'application-name'), PAGE_LENGTHS.siteName),
    description: line(
      told('og:description', 'description', 'twitter:description'),
      PAGE_LENGTHS.description,
    ),
    imageUrl: absolute(
      told('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      baseOf(document, url),
    ),
  };
}

/** The first property with a value in the head. Open Graph uses `property`, other vocabularies `name`. */
function metaOf(document: DomElement): (...names: readonly string[]) => string {
  const values = new Map<string, string>();
  for (const meta of Array.from(document.querySelectorAll('meta[content]'))) {
    const name = (meta.getAttribute?.('property') ?? meta.getAttribute?.('name') ?? '').trim();
    const value = (meta.getAttribute?.('content') ?? '').trim();
    if (value !== '' && !values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  }
  return (...names) =>
    names.map((name) => values.get(name)).find((value) => value !== undefined) ?? '';
}

const baseOf = (document: DomElement, url: string): string =>
  URL.parse(document.querySelector('base[href]')?.getAttribute?.('href') ?? '', url)?.href ?? url;

function absolute(address: string, base: string): string {
  const url = address === '' ? null : URL.parse(address, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > MAX_URL_LENGTH) return '';
  return url.href;
}

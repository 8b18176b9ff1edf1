import type { OwnerBlobs, WrittenBlob } from '../../ports/blobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type {
  ContentSniffer,
  ContentType,
  Extraction,
  WebPageMetadata,
  TextExtractor,
} from '../../ports/text-extraction.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { FetchOptions, FetchedPage, PageFetcher } from '../../ports/web-pages.ts';

export interface ReadLinkDeps {
  readonly pages: PageFetcher;
  readonly sniffer: ContentSniffer;
  readonly extractor: TextExtractor;
  readonly blobs: OwnerBlobs;
}

/**
 * The result of reading a link's page. `found` is present if the page was fetched, whether or not it could be read.
 */
export interface LinkContent {
  readonly extraction: Extraction;
  readonly found?: FoundPage;
}

export interface FoundPage {
  readonly finalUrl: string;
  readonly facts: WebPageMetadata;
  /** Written, without a row yet. */
  readonly picture: { readonly blob: WrittenBlob; readonly mime: string } | null;
}

const MIB = 2 ** 20;
const PAGE: FetchOptions = { maxBytes: 10 * MIB, timeMs: 20_000, contentType: 'page' };
const PICTURE: FetchOptions = { maxBytes: 5 * MIB, timeMs: 10_000, contentType: 'picture' };
const PICTURE_FORMATS = new Set(['jpg', 'png', 'webp', 'gif']);
const HEAD_BYTES = 65_536;
const HTML = { kind: 'document', mime: 'text/html', format: 'html' } as const;

/**
 * Fetches a link's page and reads it like a file of its type; for HTML the article. A temporary failure is thrown, so
 * that the task is retried, unless this attempt is the last.
 */
export async function readLink(
  deps: ReadLinkDeps,
  scope: OwnerScope,
  object: StoredObject,
  lastAttempt: boolean,
): Promise<LinkContent> {
  const page = await deps.pages.fetch(object.sourceUrl ?? '', PAGE);
  if (page.outcome === 'refused') {
    if (page.passing && !lastAttempt) throw new Error(page.message);
    return { extraction: { outcome: 'failed', reason: page.message } };
  }
  const type = await typeOf(deps, page);
  const extraction = await deps.extractor.extract({
    filename: object.filename,
    type,
    size: page.bytes.length,
    page: { url: page.finalUrl, charset: page.charset },
    open: () => once(page.bytes),
  });
  if (extraction.outcome === 'failed') return { extraction };
  const facts = factsOf(extraction);
  return {
    extraction: extraction.outcome === 'none' ? { ...extraction, expected: false } : extraction,
    found: {
      finalUrl: page.finalUrl,
      facts,
      picture:
        type.kind === 'image'
          ? await savePicture(deps, scope, page.bytes)
          : await fetchPicture(deps, scope, facts.imageUrl),
    },
  };
}

/** By bytes and name; but text sent as HTML is a page, even without a doctype. */
async function typeOf(deps: ReadLinkDeps, page: FetchedPage): Promise<ContentType> {
  const name = /^[^?#]*\/([^/?#]*)/.exec(page.finalUrl)?.[1] ?? '';
  const type = await deps.sniffer.identify(page.bytes.subarray(0, HEAD_BYTES), name);
  const sentAsHtml = page.mime === 'text/html' || page.mime === 'application/xhtml+xml';
  return sentAsHtml && type.kind === 'text' ? HTML : type;
}

const factsOf = (extraction: Extraction): WebPageMetadata => {
  const { page } = extraction as { readonly page?: WebPageMetadata };
  if (page) return page;
  const title = extraction.outcome === 'text' ? extraction.title : '';
  return { title, siteName: '', description: '', imageUrl: '' };
};

/** A missing preview image does not affect the page, so its errors are ignored. */
async function fetchPicture(
  deps: ReadLinkDeps,
  scope: OwnerScope,
  url: string,
): Promise<FoundPage['picture']> {
  if (url === '') return null;
  const answer = await deps.pages.fetch(url, PICTURE);
  return answer.outcome === 'page' ? savePicture(deps, scope, answer.bytes) : null;
}

async function savePicture(
  deps: ReadLinkDeps,
  scope: OwnerScope,
  bytes: Uint8Array,
): Promise<FoundPage['picture']> {
  const { kind, format, mime } = await deps.sniffer.identify(bytes.subarray(0, HEAD_BYTES), '');
  if (kind !== 'image' || !PICTURE_FORMATS.has(format)) return null;
  if (bytes.length > PICTURE.maxBytes) return null;
  return { blob: await deps.blobs.write(scope, once(bytes), PICTURE), mime };
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

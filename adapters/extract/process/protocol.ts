import type { WebPageMetadata, PageOrigin, PageSpan } from '../../../ports/text-extraction.ts';

/** The readers. `plan.ts` selects one by the type. */
export type Reader =
  | 'text'
  | 'html'
  | 'page'
  | 'pdf'
  | 'docx'
  | 'doc'
  | 'odt'
  | 'rtf'
  | 'epub'
  | 'sheets'
  | 'ods'
  | 'pptx'
  | 'ppt'
  | 'odp'
  | 'mail'
  | 'msg'
  | 'mailbox'
  | 'savedPage';

/** First frame to the child; the file follows. */
export interface Job {
  readonly reader: Reader;
  readonly format: string;
  /** Number of bytes that follow. */
  readonly size: number;
  /** Code points after which the text is truncated. */
  readonly maxTextLength: number;
  /** For the reader `page`. */
  readonly page?: PageOrigin;
}

export type Verdict =
  | {
      readonly outcome: 'none';
      readonly expected: boolean;
      readonly reason: string;
      readonly page?: WebPageMetadata;
      readonly scanned?: true;
    }
  | { readonly outcome: 'failed'; readonly reason: string };

export interface TextFacts {
  readonly outcome: 'text';
  readonly source: 'native' | 'extracted';
  readonly title: string;
  readonly language: string;
  readonly pages: readonly PageSpan[];
  readonly page?: WebPageMetadata;
  readonly scanned?: true;
}

export const MAX_TITLE_LENGTH = 500;
/** In code points. */
export const PAGE_LENGTHS = { title: MAX_TITLE_LENGTH, siteName: 200, description: 1_000 };
export const MAX_URL_LENGTH = 2_083;
export const MAX_PAGES = 20_000;
const MAX_REASON_LENGTH = 500;

/**
 * Parses a result of the child. The child has read untrusted files, so its output is not trusted; another shape is a
 * `TypeError`.
 */
export function parseResult(value: unknown): Verdict | TextFacts {
  const result = value as Partial<Record<string, unknown>>;
  const { outcome, source } = result;
  const scanned = result['scanned'] === true ? { scanned: true as const } : {};
  if (outcome === 'text' && (source === 'native' || source === 'extracted'))
    return {
      outcome,
      source,
      title: text(result['title'], MAX_TITLE_LENGTH * 2),
      language: text(result['language'], 2),
      pages: pagesOf(result['pages']),
      ...pageFactsOf(result['page']),
      ...scanned,
    };
  const reason = text(result['reason'], MAX_REASON_LENGTH);
  if (outcome === 'none') {
    const expected = result['expected'] === true;
    return { outcome, reason, expected, ...pageFactsOf(result['page']), ...scanned };
  }
  if (outcome === 'failed') return { outcome, reason };
  throw new TypeError('Not an outcome.');
}

function text(value: unknown, longest: number): string {
  if (typeof value !== 'string' || value.length > longest) throw new TypeError('Not a short text.');
  return value;
}

function pageFactsOf(value: unknown): { page?: WebPageMetadata } {
  if (value === undefined) return {};
  const { title, siteName, description, imageUrl } = value as Partial<Record<string, unknown>>;
  return {
    page: {
      title: text(title, PAGE_LENGTHS.title * 2),
      siteName: text(siteName, PAGE_LENGTHS.siteName * 2),
      description: text(description, PAGE_LENGTHS.description * 2),
      imageUrl: text(imageUrl, MAX_URL_LENGTH),
    },
  };
}

function pagesOf(value: unknown): PageSpan[] {
  if (!Array.isArray(value) || value.length > MAX_PAGES) throw new TypeError('Not pages.');
  let end = 0;
  return value.map((span: PageSpan, i) => {
    const { charStart, charEnd } = span;
    const sound = Number.isSafeInteger(charEnd) && charStart === end && charEnd >= charStart;
    if (!sound) throw new TypeError('Not a page.');
    end = charEnd;
    return { page: i + 1, charStart, charEnd };
  });
}

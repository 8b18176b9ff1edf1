import type { PageSpan } from '../../../ports/text-extraction.ts';

/** What reads a file. `plan.ts` chooses it by the type. */
export type Reader = 'text' | 'html' | 'pdf' | 'docx';

/** First frame to the child; the file follows. */
export interface Job {
  readonly reader: Reader;
  readonly format: string;
  /** Bytes to come. */
  readonly size: number;
  /** Code points after which the text is cut. */
  readonly longestText: number;
}

export type Verdict =
  | {
      readonly outcome: 'none';
      readonly expected: boolean;
      readonly reason: string;
      readonly scanned?: true;
    }
  | { readonly outcome: 'failed'; readonly reason: string };

export interface TextFacts {
  readonly outcome: 'text';
  readonly source: 'native' | 'extracted';
  readonly title: string;
  readonly language: string;
  readonly pages: readonly PageSpan[];
  readonly scanned?: true;
}

export const LONGEST_TITLE = 500;
export const MOST_PAGES = 20_000;
const LONGEST_REASON = 500;

/**
 * A result as it came from the child. The child has read files of strangers, so nothing about it is
 * taken for granted; a result of another shape is a `TypeError`.
 */
export function parseResult(value: unknown): Verdict | TextFacts {
  const result = value as Partial<Record<string, unknown>>;
  const { outcome, source } = result;
  const scanned = result['scanned'] === true ? { scanned: true as const } : {};
  if (outcome === 'text' && (source === 'native' || source === 'extracted'))
    return {
      outcome,
      source,
      title: text(result['title'], LONGEST_TITLE * 2),
      language: text(result['language'], 2),
      pages: pagesOf(result['pages']),
      ...scanned,
    };
  const reason = text(result['reason'], LONGEST_REASON);
  if (outcome === 'none')
    return { outcome, reason, expected: result['expected'] === true, ...scanned };
  if (outcome === 'failed') return { outcome, reason };
  throw new TypeError('Not an outcome.');
}

function text(value: unknown, longest: number): string {
  if (typeof value !== 'string' || value.length > longest) throw new TypeError('Not a short text.');
  return value;
}

function pagesOf(value: unknown): PageSpan[] {
  if (!Array.isArray(value) || value.length > MOST_PAGES) throw new TypeError('Not pages.');
  let end = 0;
  return value.map((span: PageSpan, i) => {
    const { charStart, charEnd } = span;
    const sound = Number.isSafeInteger(charEnd) && charStart === end && charEnd >= charStart;
    if (!sound) throw new TypeError('Not a page.');
    end = charEnd;
    return { page: i + 1, charStart, charEnd };
  });
}

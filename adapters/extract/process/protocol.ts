import type { PageSpan } from '../../../ports/text-extraction.ts';

/** What reads a file. `plan.ts` chooses it by the type. */
export type Reader =
  | 'text'
  | 'html'
  | 'pdf'
  | 'docx'
  | 'doc'
  | 'odt'
  | 'rtf'
  | 'epub'
  | 'sheets'
  | 'ods'
  | 'pptx'
  | 'odp'
  | 'mail'
  | 'mailbox'
  | 'savedPage';

/** First frame to the child. The file follows in frames of at most `CHUNK_BYTES`, an empty one ends it. */
export interface Job {
  readonly reader: Reader;
  readonly format: string;
  /** Bytes to come. */
  readonly size: number;
  /** Code points after which the text is cut. */
  readonly longestText: number;
}

/** Frames from the child: `ready` once, then for each file `received` and `done`, which a text follows as UTF-8. */
export type Report =
  | { readonly step: 'ready' }
  | { readonly step: 'received' }
  | { readonly step: 'done'; readonly result: Verdict | TextFacts };

export type Verdict =
  | { readonly outcome: 'none'; readonly expected: boolean; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string };

export interface TextFacts {
  readonly outcome: 'text';
  readonly source: 'native' | 'extracted';
  readonly title: string;
  readonly language: string;
  readonly pages: readonly PageSpan[];
}

export const CHUNK_BYTES = 262_144;
export const LONGEST_TITLE = 500;
export const MOST_PAGES = 20_000;
const LONGEST_REASON = 500;

/**
 * A report as it came from the child. The child has read files of strangers, so nothing about it is
 * taken for granted; a report of another shape is a `TypeError`.
 */
export function parseReport(payload: Buffer): Report {
  const report = JSON.parse(payload.toString('utf8')) as Partial<Record<string, unknown>>;
  if (report['step'] === 'ready' || report['step'] === 'received') return { step: report['step'] };
  if (report['step'] !== 'done') throw new TypeError('Not a step.');
  return { step: 'done', result: resultOf(report['result'] as Partial<Record<string, unknown>>) };
}

function resultOf(result: Partial<Record<string, unknown>>): Verdict | TextFacts {
  const { outcome, source } = result;
  if (outcome === 'text' && (source === 'native' || source === 'extracted'))
    return {
      outcome,
      source,
      title: text(result['title'], LONGEST_TITLE * 2),
      language: text(result['language'], 2),
      pages: pagesOf(result['pages']),
    };
  const reason = text(result['reason'], LONGEST_REASON);
  if (outcome === 'none') return { outcome, reason, expected: result['expected'] === true };
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

import type { PageSpan } from '../../../ports/text-extraction.ts';
import { MAX_TITLE_LENGTH, type TextFacts } from '../process/protocol.ts';
import { codePoints, cut, oneLine } from './text-normalization.ts';
import type { Page, ReaderResult } from './reader-result.ts';

/**
 * Joins the pages of a result. The spans are contiguous: white space between two pages belongs to the first, and a
 * page after the length limit is empty.
 */
export async function joinPages(
  { source, title, pages, prose, sample, page, scanned }: ReaderResult,
  longest: number,
): Promise<{ facts: TextFacts; text: string }> {
  const { text, spans } = join(pages, longest);
  const language = prose ? (await import('./language.ts')).languageOf(sample ?? text) : '';
  return {
    facts: {
      outcome: 'text',
      source,
      title: oneLine(title, MAX_TITLE_LENGTH),
      language,
      pages: spans,
      ...(page && { page }),
      ...(scanned && { scanned }),
    },
    text,
  };
}

function join(pages: readonly Page[], longest: number): { text: string; spans: PageSpan[] } {
  const parts: string[] = [];
  const spans: PageSpan[] = [];
  let end = 0;
  for (const [i, { text }] of pages.entries()) {
    const part = cut(text + gapAfter(pages, i), longest - end);
    const charStart = end;
    end += codePoints(part);
    parts.push(part);
    spans.push({ page: i + 1, charStart, charEnd: end });
  }
  return { text: parts.join(''), spans };
}

function gapAfter(pages: readonly Page[], i: number): string {
  const next = pages[i + 1];
  if (pages[i]!.text === '' || next === undefined) return '';
  return next.continues ? ' ' : '\n\n';
}

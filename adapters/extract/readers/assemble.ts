import type { PageSpan } from '../../../ports/text-extraction.ts';
import { LONGEST_TITLE, type TextFacts } from '../process/protocol.ts';
import { codePoints, cut, oneLine } from './characters.ts';
import type { Page, Reading } from './reading.ts';

/**
 * Joins the pages of a result. The spans are contiguous: white space between two pages belongs to the first, and a
 * page after the length limit is empty.
 */
export async function assemble(
  { source, title, pages, prose, sample, page, scanned }: Reading,
  longest: number,
): Promise<{ facts: TextFacts; text: string }> {
  const { text, spans } = join(pages, longest);
  const language = prose ? (await import('./language.ts')).languageOf(sample ?? text) : '';
  return {
    facts: {
      outcome: 'text',
      source,
      title: oneLine(title, LONGEST_TITLE),
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

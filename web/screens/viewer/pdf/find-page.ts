import type { DocumentDetail } from '../kinds.ts';
import { findSnippet, fold } from '../text/fold.ts';
import { openPdf } from './engine.ts';

/** In a longer document the words are not looked for any further. */
const MAX_PAGES = 500;

/** The first page that has the words. */
export async function findPage(
  document: DocumentDetail,
  snippet: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { pdf, close } = await openPdf(document, signal);
  try {
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const words = items.map((item) => ('str' in item ? item.str : '')).join(' ');
      if (findSnippet(snippet, fold(words), 0)) return number;
      signal.throwIfAborted();
    }
    return undefined;
  } finally {
    close();
  }
}

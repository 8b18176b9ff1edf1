import type { PlacedWord } from '../../../ports/word-places.ts';
import { runChildLoop } from '../process/child-loop.ts';
import { disableNetwork } from '../process/disable-network.ts';
import type { PlacesJob, PlacesResult } from './places-protocol.ts';

disableNetwork();

const RESULT: PlacesResult = { outcome: 'words' };

await runChildLoop<PlacesJob>(async () => {
  const { pdfWordsOn } = await import('./pdf-words.ts');
  return async ({ page }, bytes) => {
    let words: readonly PlacedWord[];
    try {
      words = await pdfWordsOn(bytes, page);
    } catch {
      // The file or the page is damaged: it has no words.
      words = [];
    }
    return words.length === 0
      ? { result: RESULT }
      : { result: RESULT, payload: Buffer.from(JSON.stringify(words)) };
  };
});

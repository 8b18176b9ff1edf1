import type { PromptPassage } from '../answers/index.ts';
import type { StepCause } from '../conversations/index.ts';
import { codePointLength } from '../text/index.ts';
import { looksLikePromptInjection } from './prompt-injection.ts';

/** Sentences that are looked at together: instructions may be spread over a few. */
const MAX_SENTENCES = 3;
/** Limit of the quoted words, in code points. */
const MAX_SNIPPET_LENGTH = 300;

/** A run of text that ends with a sentence or a line. */
const SENTENCE = /[^.!?。！？\n]*(?:[.!?。！？]+|\n|$)/gu;

/**
 * The words that read like instructions to an assistant, for the owner to see why nothing is changed. The location is
 * known for the text of an object; file names and calendar entries have none.
 */
export function findInjectedWords(
  passages: readonly PromptPassage[],
  texts: readonly string[],
): StepCause | undefined {
  for (const { passage, filename } of passages) {
    if (!looksLikePromptInjection(passage.text)) continue;
    const { start, text } = narrowest(passage.text);
    const charStart = passage.charStart + codePointLength(passage.text.slice(0, start));
    const snippet = truncated(text);
    return {
      snippet,
      object_id: passage.objectId,
      filename,
      char_start: charStart,
      char_end: charStart + codePointLength(snippet),
    };
  }
  const text = texts.find(looksLikePromptInjection);
  return text === undefined ? undefined : { snippet: truncated(narrowest(text).text) };
}

/** The fewest sentences that match on their own. */
function narrowest(text: string): { readonly start: number; readonly text: string } {
  const sentences = [...text.matchAll(SENTENCE)].filter(([each]) => each !== '');
  for (let count = 1; count <= MAX_SENTENCES; count++)
    for (const [at, { index }] of sentences.entries()) {
      const run = sentences.slice(at, at + count).map(([each]) => each);
      const words = run.join('');
      const bare = words.trim();
      if (bare === '' || !looksLikePromptInjection(bare)) continue;
      return { start: index + words.indexOf(bare), text: bare };
    }
  const bare = text.trim();
  return { start: text.indexOf(bare), text: bare };
}

const truncated = (text: string): string => [...text].slice(0, MAX_SNIPPET_LENGTH).join('');

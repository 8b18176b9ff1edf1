import type { StoredObject } from '../../ports/objects.ts';
import type { Citation } from '../../ports/conversations.ts';
import { placed } from '../search/find.ts';
import type { Window } from './windows.ts';

/** The sentences of the windows, each followed by `[n]`, and the citations those refer to. */
export function composeAnswer(
  windows: readonly Window[],
  objects: ReadonlyMap<string, StoredObject>,
): { readonly content: string; readonly citations: readonly Citation[] } {
  const paragraphs: string[] = [];
  const citations: Citation[] = [];
  for (const { passage, sentences } of windows) {
    const object = objects.get(passage.objectId);
    if (!object) continue;
    const index = citations.length + 1;
    const { docType, filename, title } = object;
    const stretch = { start: sentences[0]?.start ?? 0, end: sentences.at(-1)?.end ?? 0 };
    const { objectId, ord } = passage;
    citations.push({ index, objectId, ord, ...placed(passage, stretch), docType, filename, title });
    paragraphs.push(
      sentences
        .map(({ start, end }) => `${quoted(passage.text.slice(start, end))} [${index}]`)
        .join(' '),
    );
  }
  return { content: paragraphs.join('\n\n'), citations };
}

/** On one line, and without anything that reads like a marker of ours. */
const quoted = (sentence: string): string =>
  sentence.replaceAll(/\s+/g, ' ').replaceAll(/\[(\s*\p{N}+\s*)\]/gu, '($1)');

import type { Citation } from '../../ports/conversations.ts';
import { toTextOffsets } from '../search/index.ts';
import type { QuestionLanguage } from '../text/index.ts';
import { seeAlso } from './phrases.ts';
import { withSentenceContext } from './sentence-context.ts';
import { toDisplayText } from './display-text.ts';
import { citedFrom, type CitedSource } from './sources.ts';
import { rangeOf, type Window } from './windows.ts';

/** Maximum number of windows quoted in full. */
const QUOTED = 3;
/** Minimum match of a quoted window, relative to the best one. */
const TELLING = 0.6;

/**
 * The sentences of the best windows, each followed by `[n]`, and references to the others, so that each citation is
 * referenced. Windows of deleted objects are dropped.
 */
export function composeAnswer(
  windows: readonly Window[],
  sources: ReadonlyMap<string, CitedSource>,
  language: QuestionLanguage,
): { readonly content: string; readonly citations: readonly Citation[] } {
  const known = windows.filter(({ passage }) => sources.has(passage.objectId));
  const most = Math.max(0, ...known.map(({ own }) => own));
  const quoted = known.filter(({ own }, i) => i === 0 || own >= TELLING * most).slice(0, QUOTED);
  // Quoted ones first, so that the markers ascend.
  const others = known.filter((window) => !quoted.includes(window));
  const shown = [...quoted, ...withSentenceContext(others, quoted)];
  const citations = shown.flatMap((window, i) => citationOf(window, sources, i + 1));
  const paragraphs = quoted.map(({ passage, sentences }, i) =>
    sentences
      .map(({ start, end }) => `${toDisplayText(passage.text.slice(start, end))} [${i + 1}]`)
      .join(' '),
  );
  const pointers = citations.slice(quoted.length).map(({ index }) => `[${index}]`);
  if (pointers.length > 0) paragraphs.push(seeAlso(language, pointers.join(' ')));
  return { content: paragraphs.join('\n\n'), citations };
}

function citationOf(
  window: Window,
  sources: ReadonlyMap<string, CitedSource>,
  index: number,
): readonly Citation[] {
  const { objectId, ord } = window.passage;
  const source = sources.get(objectId);
  if (!source) return [];
  const place = toTextOffsets(window.passage, rangeOf(window));
  return [{ index, objectId, ord, ...place, ...citedFrom(source, place.charStart) }];
}

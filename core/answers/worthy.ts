import type { Window } from './windows.ts';

/** Citations an answer has at most. */
const CITATIONS = 5;
/** What a window must be worth against the best one, */
const SCORE = 0.45;
/** and what the passage it stands in, to be cited beside it. */
const PLACE = 0.33;
/** Who holds as much of a question leaves little open; */
const EVERYTHING = 0.95;
/** others must hold as much of it to be worth a look still. */
const MUCH = 0.55;

/** The windows an answer shows, best first. */
export function worthy(windows: readonly Window[]): readonly Window[] {
  const [best] = windows;
  if (!best) return [];
  const most = Math.max(...windows.map(({ place }) => place));
  return bestApart(windows, CITATIONS).filter(
    (window) =>
      window === best ||
      (window.score >= SCORE * best.score &&
        window.place >= PLACE * most &&
        (best.share < EVERYTHING || window.share >= MUCH)),
  );
}

/** The best windows that have no sentence in common and do not say the same in other places. */
export function bestApart(windows: readonly Window[], most: number): readonly Window[] {
  const chosen: Window[] = [];
  const said = new Set<string>();
  for (const window of windows) {
    if (chosen.length === most) break;
    const saying = window.sentences.map(({ start, end }) =>
      normalised(window.passage.text.slice(start, end)),
    );
    if (saying.some((sentence) => said.has(sentence))) continue;
    if (chosen.some((other) => overlap(window, other))) continue;
    chosen.push(window);
    for (const sentence of saying) said.add(sentence);
  }
  return chosen;
}

/** Copies of a file differ in their marks and white space at most. */
const normalised = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const overlap = (a: Window, b: Window): boolean =>
  a.passage.number === b.passage.number &&
  a.sentences.some(({ start }) => b.sentences.some((sentence) => sentence.start === start));

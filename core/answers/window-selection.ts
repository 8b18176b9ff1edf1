import type { Window } from './windows.ts';

/** Maximum number of citations per answer. */
const CITATIONS = 5;
/** Minimum score of a further window, relative to the best one, */
const SCORE = 0.45;
/** and relative to the score of its passage. */
const PLACE = 0.33;
/** If the best window matches this much of the question, it leaves little open; */
const EVERYTHING = 0.95;
/** another must match as much to be cited as well. */
const MUCH = 0.55;

/** The windows of an answer, best first. */
export function selectWindows(windows: readonly Window[]): readonly Window[] {
  const [best] = windows;
  if (!best) return [];
  const most = Math.max(...windows.map(({ place }) => place));
  return selectDistinctWindows(windows, CITATIONS).filter(
    (window) =>
      window === best ||
      (window.score >= SCORE * best.score &&
        window.place >= PLACE * most &&
        (best.share < EVERYTHING || window.share >= MUCH)),
  );
}

/** The best windows that share no sentence and are no near-duplicates. */
export function selectDistinctWindows(windows: readonly Window[], most: number): readonly Window[] {
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

/** Copies of a file differ at most in punctuation and white space. */
const normalised = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const overlap = (a: Window, b: Window): boolean =>
  a.passage.number === b.passage.number &&
  a.sentences.some(({ start }) => b.sentences.some((sentence) => sentence.start === start));

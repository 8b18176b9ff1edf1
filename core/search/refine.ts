import type { Atom } from '../../ports/search.ts';
import { chiefForm, isAscii, remembering } from '../text/index.ts';

export interface Refinement {
  /** To be added to the score; never negative. */
  readonly gain: number;
  /** Weight of what the passage does not hold but resembles. */
  readonly resembled: number;
}

/** What a term that merely resembles a missing word is worth of it, at most. */
const RESEMBLANCE = 0.9;
/** What two words that stand together as in the query add, in weights of the lesser one. */
const TOGETHER = 0.3;
const NEAR = 2;

const LEAST_COMMON = 4;
const LEAST_PART = 5;

/**
 * Finer signals than counting terms, for the best few dozen passages: words that share their beginning with a missing
 * one or are joined with it in a compound, and words that stand together. Takes a row of terms that are joined by single
 * spaces, and answers what to add to the score. Most rows have nothing to tell, and are not taken apart.
 */
export function refiner(
  atoms: readonly Atom[],
  weights: readonly number[],
): (row: string, bits: number) => Refinement {
  const words = atoms.map((atom) =>
    atom.flatMap((run) => (run.terms.length === 1 ? run.terms : [])),
  );
  const resembling = resemblances(words.map((forms) => forms[0] ?? ''));
  const mayResemble = words.map(([form = '']) => traceOf(form));
  const places = new Map<string, number[]>();
  words.forEach((forms, atom) => {
    for (const form of forms) places.set(form, [...(places.get(form) ?? []), atom]);
  });

  const pairs = words.map(([form = '']) => IDEOGRAPHS.test(form));
  const holds = (bits: number, atom: number) => (bits & (2 ** atom)) !== 0;
  const mayStand = (bits: number) =>
    weights.some(
      (_, atom) => holds(bits, atom) && holds(bits, atom + 1) && !pairs[atom] && !pairs[atom + 1],
    );

  return (row, bits) => {
    const missing = mayResemble.some((may, atom) => !holds(bits, atom) && may(row));
    if (!missing && !mayStand(bits)) return NO_GAIN;
    const likeness = atoms.map(() => 0);
    const positions: number[][] = atoms.map(() => []);
    row.split(' ').forEach((term, at) => {
      for (const atom of places.get(term) ?? []) positions[atom]?.push(at);
      if (!missing) return;
      for (const { atom, share } of resembling(term))
        likeness[atom] = Math.max(likeness[atom] ?? 0, share);
    });
    let resembled = 0;
    let together = 0;
    weights.forEach((weight, atom) => {
      if (!holds(bits, atom)) resembled += weight * (likeness[atom] ?? 0);
      const next = weights[atom + 1];
      if (next === undefined || pairs[atom] || pairs[atom + 1]) return;
      if (stand(positions[atom] ?? [], positions[atom + 1] ?? []))
        together += Math.min(weight, next);
    });
    return { gain: RESEMBLANCE * resembled + TOGETHER * together, resembled };
  };
}

/** Whether a row may hold a term that resembles the word: it has its beginning, or some letters of it in a row. */
function traceOf(word: string): (row: string) => boolean {
  if (word.length < LEAST_COMMON) return () => false;
  const beginning = word.slice(0, LEAST_COMMON);
  const traces = [` ${beginning}`];
  if (word.length < LEAST_PART) traces.push(word);
  for (let at = 0; at + LEAST_PART <= word.length; at++)
    traces.push(word.slice(at, at + LEAST_PART));
  return (row) => row.startsWith(beginning) || traces.some((trace) => row.includes(trace));
}

/** Pairs of characters overlap: standing together is what makes them a word, so it tells nothing more. */
const IDEOGRAPHS = /^[^\0-\u0dff]/;
const NO_GAIN: Refinement = { gain: 0, resembled: 0 };

const stand = (a: readonly number[], b: readonly number[]): boolean =>
  a.some((x) => b.some((y) => Math.abs(x - y) <= NEAR));

const TERMS_KEPT = 10_000;
const NONE: readonly Likeness[] = [];

export interface Likeness {
  readonly atom: number;
  /** 0 to 1. */
  readonly share: number;
}

/** Which words a term resembles. Passages hold the same terms again and again, so each is looked at once. */
export function resemblances(words: readonly string[]): (term: string) => readonly Likeness[] {
  const long = words.flatMap((word, atom) => (word.length < LEAST_COMMON ? [] : [{ word, atom }]));
  const look = remembering(TERMS_KEPT, (term): readonly Likeness[] => {
    let found: Likeness[] | undefined;
    for (const { word, atom } of long) {
      const share = Math.max(commonBeginning(term, word), compound(term, word));
      if (share > 0) (found ??= []).push({ atom, share });
    }
    return found ?? NONE;
  });
  return (term) => (term.length < LEAST_COMMON || long.length === 0 ? NONE : look(term));
}

/** Letters at most that the stem of a word ends with in the place of others. */
const PUT_ANEW = 2;

/**
 * The same of words as they are written, by their chief forms. A stem is the beginning of its word but for its last letters,
 * which tells of most words that they resemble nothing: to stem one costs a hundred times as much.
 */
export function wordResemblances(words: readonly string[]): (plain: string) => readonly Likeness[] {
  const resembling = resemblances(words);
  const long = words.filter((word) => word.length >= LEAST_COMMON);
  const sought = long.map((word) => ({
    word,
    beginning: word.slice(0, LEAST_COMMON - PUT_ANEW),
    body: word.slice(0, -PUT_ANEW),
  }));
  const mayResemble = (plain: string): boolean => {
    const least = plain.slice(0, LEAST_PART - PUT_ANEW);
    return sought.some(
      ({ word, beginning, body }) =>
        plain.startsWith(beginning) || plain.includes(body) || word.includes(least),
    );
  };
  return (plain) => (isAscii(plain) && !mayResemble(plain) ? NONE : resembling(chiefForm(plain)));
}

function commonBeginning(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let common = 0;
  while (common < most && a.charCodeAt(common) === b.charCodeAt(common)) common += 1;
  return common < LEAST_COMMON ? 0 : common / Math.max(a.length, b.length);
}

function compound(term: string, word: string): number {
  if (word.length >= LEAST_COMMON && term.endsWith(word)) return 0.6;
  if (Math.min(term.length, word.length) < LEAST_PART) return 0;
  if (term.includes(word)) return 0.6;
  return word.includes(term) ? (0.8 * term.length) / word.length : 0;
}

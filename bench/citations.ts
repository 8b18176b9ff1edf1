/**
 * A scripted model that quotes passages: exactly, with a tenth of the words changed, and invented. The share of its
 * citations that survives should be all, nearly all and none.
 */
import { createCitationStream, type PromptPassage } from '../core/answers/index.ts';
import { passagesOf } from '../core/text/index.ts';

const DRAWN = 400;
const [SHORTEST, LONGEST] = [6, 40];
const CHANGED = 0.1;
/** Passages shown to the scripted model. */
const SHOWN = 8;
const hasty = { yield: () => Promise.resolve() };

type Chance = (below: number) => number;

/** The same numbers in every run. */
function chance(): Chance {
  let state = 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((below * state) / 2_147_483_647);
  };
}

/** The words of a text; in Chinese the characters. Split independently of the code under test. */
interface Cut {
  readonly text: string;
  readonly words: readonly { readonly start: number; readonly end: number }[];
}

function cutText(text: string, language: string): Cut {
  if (language !== 'zh')
    return {
      text,
      words: Array.from(text.matchAll(/\S*[\p{L}\p{N}]\S*/gu), ({ 0: word, index }) => ({
        start: index,
        end: index + word.length,
      })),
    };
  const starts = Array.from(text.matchAll(/\d[\d.,]*|\p{sc=Latin}+|\p{L}/gu), ({ index }) => index);
  // Without spaces between them, words keep the punctuation that follows.
  return { text, words: starts.map((start, i) => ({ start, end: starts[i + 1] ?? text.length })) };
}

/** The source of a quotation: a sequence of words of one passage, and words of others. */
interface Draw {
  readonly passage: Cut;
  readonly quote: string;
  readonly words: readonly string[];
  /** A sequence of the same length from another passage that does not occur in this one. */
  readonly elsewhere: readonly string[];
  readonly other: () => string;
  readonly next: Chance;
  readonly join: string;
}

const changes = (length: number): number => Math.max(1, Math.round(CHANGED * length));

/** Number of distinct positions among so many. */
function places(count: number, among: number, next: Chance): ReadonlySet<number> {
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(next(among));
  return chosen;
}

const KINDS: Readonly<Record<string, (draw: Draw) => string | undefined>> = {
  'quoted exactly': ({ quote }) => quote,
  'a tenth replaced': ({ words, other, next, join }) => {
    const at = places(changes(words.length), words.length, next);
    return words.map((word, i) => (at.has(i) ? other() : word)).join(join);
  },
  'a tenth left out': ({ words, next, join }) => {
    const at = places(changes(words.length), words.length, next);
    return words.filter((_, i) => !at.has(i)).join(join);
  },
  'a tenth put in': ({ words, other, next, join }) => {
    const at = places(changes(words.length), words.length, next);
    return words.flatMap((word, i) => (at.has(i) ? [word, other()] : [word])).join(join);
  },
  'from elsewhere': ({ elsewhere, join }) => unmarked(elsewhere.join(join)),
  'half from elsewhere': ({ words, elsewhere, join }) => {
    const half = Math.ceil(words.length / 2);
    return unmarked([...words.slice(0, half), ...elsewhere.slice(half)].join(join));
  },
  shuffled: ({ words, next, join }) => {
    const mixed = shuffled(words, next);
    return mixed && unmarked(mixed.join(join));
  },
  'strange words': ({ words, other, join }) => unmarked(words.map(other).join(join)),
};

/** Marks inside an invented quotation would split it, and a single-word part may occur by coincidence. */
const unmarked = (quote: string): string => quote.replaceAll(/["“”„«»「」]/g, '');

/** Shuffled so that no two words that were adjacent still are; undefined if that fails. */
function shuffled(words: readonly string[], next: Chance): readonly string[] | undefined {
  for (let tried = 0; tried < 50; tried++) {
    const order = words.map((_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const j = next(i + 1);
      [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
    }
    const pairs = new Set(words.slice(1).map((word, i) => `${words[i]} ${word}`));
    const mixed = order.map((i) => words[i] ?? '');
    if (!mixed.some((word, i) => i > 0 && pairs.has(`${mixed[i - 1]} ${word}`))) return mixed;
  }
  return undefined;
}

/** The share of surviving citations for each kind of quotation, as text. */
export async function measureCitations(
  texts: readonly string[],
  language: string,
): Promise<Record<string, string>> {
  const passages: Cut[] = [];
  for (const text of texts)
    for await (const span of passagesOf(text, hasty)) passages.push(cutText(span.text, language));
  const cut = passages.filter(({ words }) => words.length >= SHORTEST);
  const next = chance();
  const tally = new Map(Object.keys(KINDS).map((kind) => [kind, { kept: 0, of: 0 }]));
  for (let drawn = 0; drawn < DRAWN; drawn++) {
    const draw = drawFrom(cut, language, next);
    if (!draw) continue;
    for (const [kind, created] of Object.entries(KINDS)) {
      const quote = created(draw);
      const sums = tally.get(kind);
      if (quote === undefined || !sums) continue;
      sums.of += 1;
      if (isKeptVerbatim(quote, draw.passage, cut, next)) sums.kept += 1;
    }
  }
  const shares = [...tally].map(([kind, { kept: stored, of }]) => [
    kind,
    `${((100 * stored) / of).toFixed(1)} % of ${of}`,
  ]);
  return Object.fromEntries(shares) as Record<string, string>;
}

function drawFrom(cut: readonly Cut[], language: string, next: Chance): Draw | undefined {
  const any = () => cut[next(cut.length)];
  const [passage, foreign] = [any(), any()];
  if (!passage || !foreign || passage === foreign) return undefined;
  const room = Math.min(LONGEST, passage.words.length, foreign.words.length);
  const length = SHORTEST + next(room - SHORTEST + 1);
  const run = (of: Cut) => {
    const from = next(of.words.length - length + 1);
    const words = of.words.slice(from, from + length);
    return {
      words: words.map(({ start, end }) => of.text.slice(start, end)),
      start: words[0]?.start,
      end: words.at(-1)?.end,
    };
  };
  const [here, there] = [run(passage), run(foreign)];
  const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (bare(passage.text).includes(bare(there.words.join('')))) return undefined;
  const used = new Set(passage.words.map(({ start, end }) => bare(passage.text.slice(start, end))));
  const other = (): string => {
    for (;;) {
      const of = any();
      const word = of?.words[next(of.words.length)];
      const text = of && word ? of.text.slice(word.start, word.end) : '';
      if (!used.has(bare(text))) return text;
    }
  };
  const quote = passage.text.slice(here.start, here.end).replaceAll(/\s+/g, ' ');
  const join = language === 'zh' ? '' : ' ';
  return { passage, quote, words: here.words, elsewhere: there.words, other, next, join };
}

/** Whether the citation of the quotation is emitted, for an answer that arrives in chunks. */
function isKeptVerbatim(quote: string, passage: Cut, cut: readonly Cut[], next: Chance): boolean {
  const shown = Array.from({ length: SHOWN }, () => cut[next(cut.length)] ?? passage);
  const number = next(SHOWN) + 1;
  shown[number - 1] = passage;
  const offered = shown.map(({ text }, i): PromptPassage => ({
    passage: { objectId: String(i), ord: 0, charStart: 0, charEnd: [...text].length, text },
    docType: 'other',
    filename: '',
    title: '',
    version: 1,
    pages: [],
  }));
  const reader = createCitationStream(() => offered);
  const said = `So it is said: "${quote}" [${number}]. That is all.`;
  const told = [];
  for (let at = 0; at < said.length; at += 5) told.push(reader.feed(said.slice(at, at + 5)));
  told.push(reader.end());
  return told.some(({ citations }) => citations.length > 0);
}

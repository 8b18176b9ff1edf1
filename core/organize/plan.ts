import type { Breather } from '../../ports/time-and-ids.ts';
import { readCard, readCards, type Read } from './cards.ts';
import { Shelving, type Fit } from './fit.ts';
import { Lexicon } from './lexicon.ts';
import { makeConcepts } from './named-concepts.ts';
import { newFolders, type Made } from './new-folders.ts';
import type { Card, KnownTheme, NewFolder, NewTheme, Plan, Shelf } from './shelves.ts';

/** Thresholds measured by `bench/organize.ts`. */
const FITS = 0.5;
const SURELY_FITS = 0.7;
const SURELY_BEFORE_NEXT = 0.1;
/** Folders are made by people, so an object leaves its folder only for one that fits much better. */
const MOVES = { there: 0.8, here: 0.25, topical: 0.45 };

/** Maximum number of new folders per run, over all rounds. */
const MOST_FOLDERS = 40;
const CARDS_A_SLICE = 40;

/** A plan derived from some of the objects and then extended to others. Its contents grow accordingly. */
export interface OpenPlan extends Plan {
  /**
   * Assigns objects that were not part of the study. Objects without a match wait until there are enough for new
   * folders.
   */
  placeMore(cards: readonly Card[]): Promise<void>;
  /** New folders for the objects still waiting. */
  placeRest(): Promise<void>;
}

export interface PlanInput {
  /** Studied together, so that term frequencies and folder contents are known. */
  readonly cards: readonly Card[];
  readonly shelves: readonly Shelf[];
  readonly themes: readonly KnownTheme[];
  readonly scope: 'uncategorized' | 'all';
  /** Number of waiting objects that triggers new folders. */
  readonly waiting?: number;
}

/**
 * Assigns objects to existing folders by their features, and the rest to new ones. The result does not depend on the
 * input order. With scope `uncategorized` only objects without a folder are assigned.
 */
export async function planFolders(
  deps: { readonly breather: Breather },
  input: PlanInput,
): Promise<OpenPlan> {
  const { breather } = deps;
  await makeConcepts(breather);
  const lexicon = new Lexicon();
  const shelving = new Shelving(input.shelves, lexicon);
  const studied = await readCards(breather, input.cards, lexicon);
  await shelving.learn(breather, studied);

  const placements = new Map<string, string>();
  const folders: NewFolder[] = [];
  const themes = new Map<string, NewTheme>();
  const rounds: Made[] = [];
  let waiting: Read[] = [];

  const place = async (reads: readonly Read[]): Promise<void> => {
    for (const [i, read] of reads.entries()) {
      if (i % CARDS_A_SLICE === CARDS_A_SLICE - 1) await breather.breathe();
      const { collectionId, objectId } = read.card;
      if (collectionId !== null && input.scope === 'uncategorized') continue;
      const fits = shelving.fitsOf(read);
      const to =
        collectionId === null
          ? (wellFitting(fits) ?? homeOf(rounds, read))
          : betterPlace(fits, collectionId, shelving);
      if (to !== undefined) placements.set(objectId, to);
      else if (collectionId === null) waiting.push(read);
    }
  };

  const placeRest = async (): Promise<void> => {
    const rest = waiting;
    waiting = [];
    const made = await newFolders(breather, {
      rest,
      lexicon,
      shelves: [...input.shelves, ...folders.map(standing)],
      themes: input.themes,
      most: MOST_FOLDERS - folders.length,
    });
    rounds.push(made);
    folders.push(...made.folders);
    for (const theme of made.themes) if (!themes.has(theme.key)) themes.set(theme.key, theme);
    for (const [objectId, folder] of made.placements) placements.set(objectId, folder);
  };

  await place(studied);
  await placeRest();
  return {
    placements,
    folders,
    get themes() {
      return [...themes.values()];
    },
    placeMore: async (cards) => {
      await place(await readCards(breather, cards, lexicon));
      if (waiting.length >= (input.waiting ?? Infinity)) await placeRest();
    },
    placeRest,
  };
}

/** A folder that an earlier round created for similar objects. */
function homeOf(rounds: readonly Made[], read: Read): string | undefined {
  for (const round of rounds) {
    const home = round.homeOf(read);
    if (home !== undefined) return home;
  }
  return undefined;
}

/** Represents a folder of this plan where only the name matters. */
const standing = ({ key, name }: NewFolder): Shelf => ({
  collectionId: key,
  name,
  description: '',
  themeId: null,
  themeName: '',
});

const wellFitting = ([best]: readonly Fit[]): string | undefined =>
  best && best.score >= FITS ? best.shelf.collectionId : undefined;

/** A better folder for an object that is in one. */
function betterPlace(
  fits: readonly Fit[],
  collectionId: string,
  shelving: Shelving,
): string | undefined {
  const best = fits[0];
  if (!best || best.shelf.collectionId === collectionId || !shelving.knows(collectionId)) return;
  const here = fits.find(({ shelf }) => shelf.collectionId === collectionId)?.score ?? 0;
  const surely = best.score >= MOVES.there && best.topical >= MOVES.topical && here <= MOVES.here;
  return surely ? best.shelf.collectionId : undefined;
}

/**
 * The folder that an object belongs in with high confidence, for a suggestion. `held` is a bounded sample of the
 * folders' objects.
 */
export function folderFor(
  card: Card,
  shelves: readonly Shelf[],
  held: readonly Card[],
): string | undefined {
  const lexicon = new Lexicon();
  const shelving = new Shelving(shelves, lexicon);
  const others = held
    .filter((each) => each.objectId !== card.objectId)
    .sort((a, b) => (a.objectId < b.objectId ? -1 : 1));
  const reads = others.map((each) => readCard(each, lexicon));
  const read = readCard(card, lexicon);
  for (const each of reads) shelving.learnOne(each);
  const [best, next] = shelving.fitsOf(read);
  if (!best || best.score < SURELY_FITS) return undefined;
  return best.rank - (next?.rank ?? 0) >= SURELY_BEFORE_NEXT ? best.shelf.collectionId : undefined;
}

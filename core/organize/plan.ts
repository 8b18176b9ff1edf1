import type { Breather } from '../../ports/time-and-ids.ts';
import { readCard, readCards, type Read } from './cards.ts';
import { Shelving, type Fit } from './fit.ts';
import { Lexicon } from './lexicon.ts';
import { makeConcepts } from './named-concepts.ts';
import { newFolders } from './new-folders.ts';
import type { Card, KnownTheme, Plan, Shelf } from './shelves.ts';

/** Thresholds measured by `bench/organize.ts`. */
const FITS = 0.5;
const SURELY_FITS = 0.7;
const SURELY_BEFORE_NEXT = 0.1;
/** People made the folders: what lies in one leaves it only for one that fits much better. */
const MOVES = { there: 0.8, here: 0.25, topical: 0.45 };

const CARDS_A_SLICE = 40;

export interface OpenPlan extends Plan {
  /**
   * Where objects go that were not studied: into the folders of the plan, those that exist and those it makes. Beyond a
   * bound nobody has to study all of a large workspace to place all of it.
   */
  placeMore(cards: readonly Card[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * Puts objects into the folders that exist by what is known of both, and the rest into new ones. The same for the same
 * input, whatever its order. With scope `uncategorized` only objects without a folder are placed.
 */
export async function planFolders(
  deps: { readonly breather: Breather },
  input: {
    readonly cards: readonly Card[];
    readonly shelves: readonly Shelf[];
    readonly themes: readonly KnownTheme[];
    readonly scope: 'uncategorized' | 'all';
  },
): Promise<OpenPlan> {
  const { breather } = deps;
  await makeConcepts(breather);
  const lexicon = new Lexicon();
  const shelving = new Shelving(input.shelves, lexicon);
  const reads = await readCards(breather, input.cards, lexicon);
  await shelving.learn(breather, reads);

  const fitting = async (given: readonly Read[]) => {
    const placements = new Map<string, string>();
    const rest: Read[] = [];
    for (const [i, read] of given.entries()) {
      if (i % CARDS_A_SLICE === CARDS_A_SLICE - 1) await breather.breathe();
      const { collectionId, objectId } = read.card;
      if (collectionId !== null && input.scope === 'uncategorized') continue;
      const fits = shelving.fitsOf(read);
      const place =
        collectionId === null ? wellFitting(fits) : betterPlace(fits, collectionId, shelving);
      if (place !== undefined) placements.set(objectId, place);
      else if (collectionId === null) rest.push(read);
    }
    return { placements, rest };
  };

  const { placements, rest } = await fitting(reads);
  const made = await newFolders(breather, { rest, lexicon, ...input });
  for (const [objectId, folder] of made.placements) placements.set(objectId, folder);
  return {
    placements,
    folders: made.folders,
    themes: made.themes,
    placeMore: async (cards) => {
      const more = await fitting(await readCards(breather, cards, lexicon));
      for (const read of more.rest) {
        const home = made.homeOf(read);
        if (home !== undefined) more.placements.set(read.card.objectId, home);
      }
      return more.placements;
    },
  };
}

const wellFitting = ([best]: readonly Fit[]): string | undefined =>
  best && best.score >= FITS ? best.shelf.collectionId : undefined;

/** Where a card that lies in a folder should rather be. */
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

/** The folder an object surely belongs into, for a suggestion. `held` are cards that lie in the shelves, a bounded sample. */
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

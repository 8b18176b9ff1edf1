import type { Scheduler } from '../../ports/runtime.ts';
import { vectorize, loadFeatures, type FeatureVector } from './feature-vectors.ts';
import { FolderClassifier, type FolderMatch } from './folder-classifier.ts';
import { Lexicon } from './lexicon.ts';
import { makeConcepts } from './named-concepts.ts';
import { newFolders, type NewFolders } from './new-folders.ts';
import type {
  ObjectFeatures,
  KnownTheme,
  NewFolder,
  NewTheme,
  Plan,
  ExistingFolder,
} from './plan-types.ts';

/** Thresholds measured by `bench/organize.ts`. */
const FITS = 0.5;
const SURELY_FITS = 0.7;
const SURELY_BEFORE_NEXT = 0.1;
/** Folders are made by people, so an object leaves its folder only for one that fits much better. */
const MOVES = { there: 0.8, here: 0.25, topical: 0.45 };

/** Maximum number of new folders per run, over all rounds. */
const MAX_FOLDERS = 40;
const CARDS_A_SLICE = 40;

/** A plan derived from some of the objects and then extended to others. Its contents grow accordingly. */
export interface OpenPlan extends Plan {
  /**
   * Assigns objects that were not part of the study. Objects without a match wait until there are enough for new
   * folders.
   */
  assignMore(cards: readonly ObjectFeatures[]): Promise<void>;
  /** New folders for the objects still waiting. */
  assignRest(): Promise<void>;
}

export interface PlanInput {
  /** Studied together, so that term frequencies and folder contents are known. */
  readonly cards: readonly ObjectFeatures[];
  readonly shelves: readonly ExistingFolder[];
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
  deps: { readonly scheduler: Scheduler },
  input: PlanInput,
): Promise<OpenPlan> {
  const { scheduler } = deps;
  await makeConcepts(scheduler);
  const lexicon = new Lexicon();
  const shelving = new FolderClassifier(input.shelves, lexicon);
  const studied = await loadFeatures(scheduler, input.cards, lexicon);
  await shelving.learn(scheduler, studied);

  const blobLocations = new Map<string, string>();
  const folders: NewFolder[] = [];
  const themes = new Map<string, NewTheme>();
  const coalescer: NewFolders[] = [];
  let waiting: FeatureVector[] = [];

  const place = async (reads: readonly FeatureVector[]): Promise<void> => {
    for (const [i, read] of reads.entries()) {
      if (i % CARDS_A_SLICE === CARDS_A_SLICE - 1) await scheduler.yield();
      const { collectionId, objectId } = read.card;
      if (collectionId !== null && input.scope === 'uncategorized') continue;
      const fits = shelving.fitsOf(read);
      const to =
        collectionId === null
          ? (wellFitting(fits) ?? homeOf(coalescer, read))
          : betterFolder(fits, collectionId, shelving);
      if (to !== undefined) blobLocations.set(objectId, to);
      else if (collectionId === null) waiting.push(read);
    }
  };

  const assignRest = async (): Promise<void> => {
    const rest = waiting;
    waiting = [];
    const created = await newFolders(scheduler, {
      rest,
      lexicon,
      shelves: [...input.shelves, ...folders.map(existingFolders)],
      themes: input.themes,
      most: MAX_FOLDERS - folders.length,
    });
    coalescer.push(created);
    folders.push(...created.folders);
    for (const theme of created.themes) if (!themes.has(theme.key)) themes.set(theme.key, theme);
    for (const [objectId, folder] of created.placements) blobLocations.set(objectId, folder);
  };

  await place(studied);
  await assignRest();
  return {
    placements: blobLocations,
    folders,
    get themes() {
      return [...themes.values()];
    },
    assignMore: async (cards) => {
      await place(await loadFeatures(scheduler, cards, lexicon));
      if (waiting.length >= (input.waiting ?? Infinity)) await assignRest();
    },
    assignRest,
  };
}

/** A folder that an earlier round created for similar objects. */
function homeOf(coalescer: readonly NewFolders[], read: FeatureVector): string | undefined {
  for (const round of coalescer) {
    const home = round.homeOf(read);
    if (home !== undefined) return home;
  }
  return undefined;
}

/** Represents a folder of this plan where only the name matters. */
const existingFolders = ({ key, name }: NewFolder): ExistingFolder => ({
  collectionId: key,
  name,
  description: '',
  themeId: null,
  themeName: '',
});

const wellFitting = ([best]: readonly FolderMatch[]): string | undefined =>
  best && best.score >= FITS ? best.shelf.collectionId : undefined;

/** A better folder for an object that is in one. */
function betterFolder(
  fits: readonly FolderMatch[],
  collectionId: string,
  shelving: FolderClassifier,
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
  card: ObjectFeatures,
  shelves: readonly ExistingFolder[],
  held: readonly ObjectFeatures[],
): string | undefined {
  const lexicon = new Lexicon();
  const shelving = new FolderClassifier(shelves, lexicon);
  const others = held
    .filter((each) => each.objectId !== card.objectId)
    .sort((a, b) => (a.objectId < b.objectId ? -1 : 1));
  const reads = others.map((each) => vectorize(each, lexicon));
  const read = vectorize(card, lexicon);
  for (const each of reads) shelving.learnOne(each);
  const [best, next] = shelving.fitsOf(read);
  if (!best || best.score < SURELY_FITS) return undefined;
  return best.rank - (next?.rank ?? 0) >= SURELY_BEFORE_NEXT ? best.shelf.collectionId : undefined;
}

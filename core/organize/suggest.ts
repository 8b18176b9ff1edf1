import type { StoredObject } from '../../ports/objects.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Findings } from '../enrichment/index.ts';
import { folderFor } from './plan.ts';
import type { ExistingFolder } from './plan-types.ts';
import {
  cardOf,
  cardsOf,
  loadFolders,
  type FeatureDeps,
  type FeatureStores,
} from './load-features.ts';

export interface SuggestDeps extends FeatureDeps {
  readonly uow: UnitOfWork<keyof FeatureStores>;
}

/** Maximum number of folders considered. */
const MAX_FOLDERS = 200;
/** Of these, the fullest ones, from which objects are sampled. */
const SHELVES_SAMPLED = 60;
const SAMPLE = 5;

/**
 * The folder that an object most likely belongs in; undefined if that is not clear. Only visible objects serve as
 * examples, so a suggestion does not depend on hidden objects. Runs before the unit of work that stores it.
 */
export async function suggestFolder(
  deps: SuggestDeps,
  scope: OwnerScope,
  object: StoredObject,
  findings: Findings,
): Promise<string | null> {
  if (!needsFolderSuggestion(object)) return null;
  const { shelves } = await loadFolders(deps, scope, MAX_FOLDERS);
  if (shelves.length === 0) return null;
  const held = await deps.uow.read(scope, (stores) => sampleOf(stores, shelves));
  const { docType, title, summary } = findings;
  const card = cardOf({ ...object, docType, title, summary }, findings);
  return folderFor(card, shelves, held) ?? null;
}

/** Checked again when it is stored: the object may have been moved, or the suggestion answered, meanwhile. */
export const needsFolderSuggestion = ({
  collectionId,
  deletedAt,
  folderAnswered,
}: StoredObject): boolean => collectionId === null && deletedAt === null && !folderAnswered;

async function sampleOf(
  stores: Pick<Stores, 'objects' | 'enrichments'>,
  shelves: readonly ExistingFolder[],
) {
  const counts = await stores.objects.countVisible(shelves.map((each) => each.collectionId));
  const fullest = [...counts]
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHELVES_SAMPLED);
  const objects: StoredObject[] = [];
  for (const [collectionId] of fullest) {
    const filter = { visibility: 'visible', trashed: false, collectionId } as const;
    objects.push(...(await stores.objects.page(filter, { limit: SAMPLE, offset: 0 })).items);
  }
  return cardsOf(stores, objects);
}

import type { StoredObject } from '../../ports/objects.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Findings } from '../enrichment/index.ts';
import { folderFor } from './plan.ts';
import type { Shelf } from './shelves.ts';
import { cardOf, cardsOf, readShelves, type SurveyDeps, type SurveyStores } from './survey.ts';

export interface SuggestDeps extends SurveyDeps {
  readonly uow: UnitOfWork<keyof SurveyStores>;
}

/** Folders that are considered. */
const MOST_SHELVES = 200;
/** Those of them of which some objects are looked at, the fullest. */
const SHELVES_SAMPLED = 60;
const SAMPLE = 5;

/**
 * The folder that an object most likely belongs in, or nothing where that is not clear. What lies in the folders
 * tells, as far as it is visible: what is suggested depends on no hidden object. Belongs before the unit of work that
 * keeps it.
 */
export async function suggestFolder(
  deps: SuggestDeps,
  scope: OwnerScope,
  object: StoredObject,
  findings: Findings,
): Promise<string | null> {
  if (!wantsFolder(object)) return null;
  const { shelves } = await readShelves(deps, scope, MOST_SHELVES);
  if (shelves.length === 0) return null;
  const held = await deps.uow.read(scope, (stores) => sampleOf(stores, shelves));
  const { docType, title, summary } = findings;
  const card = cardOf({ ...object, docType, title, summary }, findings);
  return folderFor(card, shelves, held) ?? null;
}

/** Asked again when it is kept: somebody may have moved the object, or answered, in the meantime. */
export const wantsFolder = ({ collectionId, deletedAt, folderAnswered }: StoredObject): boolean =>
  collectionId === null && deletedAt === null && !folderAnswered;

async function sampleOf(
  stores: Pick<Stores, 'objects' | 'enrichments'>,
  shelves: readonly Shelf[],
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

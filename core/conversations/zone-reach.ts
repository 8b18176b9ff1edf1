import type { AnswerCoverage } from '../../ports/conversations.ts';
import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import {
  countedObjects,
  saysNothing,
  searchCoverage,
  type SearchCoverage,
} from '../answers/index.ts';

/** The files in the scope of an answer, and those of them in the hidden zone. */
export interface ZoneReach extends SearchCoverage {
  readonly hidden: SearchCoverage;
  readonly objects: Awaited<ReturnType<typeof countedObjects>>;
}

const NOTHING: SearchCoverage = { searched: 0, unread: 0, awaited: 0 };

/** Maximum number of hidden objects to which an answer about the whole zone is attributed. */
const MAX_OBJECTS = 50;

export async function zoneReach(
  stores: Pick<Stores, 'objects'>,
  filter: SearchFilter,
): Promise<ZoneReach> {
  const reach = await searchCoverage(stores, filter);
  const objects = await countedObjects(stores, filter, reach);
  if (filter.visibility === 'visible') return { ...reach, objects, hidden: NOTHING };
  const hidden = await searchCoverage(stores, { ...filter, visibility: 'hidden' });
  return { ...reach, objects, hidden };
}

/** Without the objects if either number counts too many of them, or another number of them. */
export function toCoverage({ searched, unread, objects }: ZoneReach): AnswerCoverage {
  const isComplete = objects.searched?.length === searched && objects.unread?.length === unread;
  return {
    searched,
    unread,
    ...(isComplete && { objects: { searched: objects.searched, unread: objects.unread } }),
  };
}

/**
 * The objects that the answer "nothing was found" is about: the unread ones, which it counts, and hidden ones with which it has
 * another wording. So it counts as an answer from them.
 */
export const objectsOfNoAnswer = async (
  stores: Pick<Stores, 'objects'>,
  question: string,
  reach: ZoneReach,
  filter: SearchFilter,
): Promise<readonly string[]> => [
  ...(reach.objects.unread ?? []),
  ...(filter.visibility === 'visible'
    ? []
    : await hiddenObjectsOfNoAnswer(stores, question, reach, filter)),
];

async function hiddenObjectsOfNoAnswer(
  { objects }: Pick<Stores, 'objects'>,
  question: string,
  { hidden, ...reach }: ZoneReach,
  filter: SearchFilter,
): Promise<readonly string[]> {
  const visible = {
    searched: reach.searched - hidden.searched,
    unread: reach.unread - hidden.unread,
    awaited: reach.awaited - hidden.awaited,
  };
  if (saysNothing(question, reach, filter) === saysNothing(question, visible, filter)) return [];
  // Named objects belong to the conversation in any case.
  const { objectIds, ...rest } = filter;
  if (objectIds) return [];
  const scope = { ...rest, visibility: 'hidden', trashed: false } as const;
  const { items } = await objects.page(scope, { limit: MAX_OBJECTS, offset: 0 });
  return items.map(({ id }) => id);
}

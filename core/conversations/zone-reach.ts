import type { AnswerCoverage } from '../../ports/conversations.ts';
import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { saysNothing, searchCoverage, type SearchCoverage } from '../answers/index.ts';

/** The files in the scope of an answer, and those of them in the hidden zone. */
export interface ZoneReach extends SearchCoverage {
  readonly hidden: SearchCoverage;
}

const NOTHING: SearchCoverage = { searched: 0, unread: 0, awaited: 0 };

/** Maximum number of hidden objects to which an answer about the whole zone is attributed. */
const MAX_OBJECTS = 50;

export async function zoneReach(
  stores: Pick<Stores, 'objects'>,
  filter: SearchFilter,
): Promise<ZoneReach> {
  const reach = await searchCoverage(stores, filter);
  if (filter.visibility === 'visible') return { ...reach, hidden: NOTHING };
  return { ...reach, hidden: await searchCoverage(stores, { ...filter, visibility: 'hidden' }) };
}

export const toCoverage = ({ searched, unread, hidden }: ZoneReach): AnswerCoverage => ({
  searched,
  unread,
  hidden: { searched: hidden.searched, unread: hidden.unread },
});

/**
 * Hidden objects that the answer "nothing was found" is about: with them it has another wording or other numbers. So it
 * counts as an answer from them.
 */
export async function hiddenObjectsOfNoAnswer(
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

import {
  passageNumber,
  type SearchFilter,
  type SearchIndex,
  type SearchStatistics,
  type SearchVisibility,
  type SearchZone,
} from '../../../ports/search.ts';
import type { OwnerScope } from '../../../ports/unit-of-work.ts';
import type { Sql } from '../sql.ts';
import { readEntry } from './search-entries.ts';
import { createOwnerNumber } from './search-owner.ts';
import {
  conditionsOf,
  keepingObjects,
  numbersInOrder,
  readObjects,
  readTerms,
  readTexts,
  spanOf,
  type PassageRow,
} from './search-rows.ts';
import { scopePrefix, termIndex } from './search-terms.ts';
import { createSearchWriter } from './search-writer.ts';

const zonesIn = (visibility: SearchVisibility): readonly SearchZone[] =>
  visibility === 'any' ? ['visible', 'hidden'] : [visibility];

/** Read from the rows of the objects: only the totals of all folders together are stored. */
async function statisticsOf(
  sql: Sql,
  { ownerId }: OwnerScope,
  ownerNo: number,
  filter: SearchFilter,
): Promise<SearchStatistics> {
  const { where, values } = conditionsOf(sql, ownerId, filter);
  const row = await sql.get<SearchStatistics>(
    `select count(*) as objects, coalesce(sum(passages), 0) as passages, coalesce(sum(terms), 0) as terms
     from search_entries where owner_no = ? and ${where}`,
    [ownerNo, ...values],
  );
  return row ?? { objects: 0, passages: 0, terms: 0 };
}

export function knexSearch(sql: Sql, scope: OwnerScope): SearchIndex {
  const index = termIndex(sql);
  const owner = createOwnerNumber(sql, scope);
  const objects = keepingObjects(async (numbers) => readObjects(sql, await owner.get(), numbers));

  return {
    ...createSearchWriter(sql, scope, owner, index, () => objects.forget()),

    statistics: async (visibility, collectionIds) => {
      if (collectionIds)
        return statisticsOf(sql, scope, await owner.get(), { visibility, collectionIds });
      const rows = await sql.all<SearchStatistics & { zone: SearchZone }>(
        'select zone, objects, passages, terms from search_totals where owner_no = ?',
        [await owner.get()],
      );
      const sums = { objects: 0, passages: 0, terms: 0 };
      for (const row of rows.filter(({ zone }) => zonesIn(visibility).includes(zone))) {
        sums.objects += row.objects;
        sums.passages += row.passages;
        sums.terms += row.terms;
      }
      return sums;
    },
    occurrences: async (atom, visibility) => {
      const no = await owner.get();
      return index.find(
        atom,
        zonesIn(visibility).map((zone) => scopePrefix(no, zone)),
      );
    },
    admitted: async (filter) => {
      const { where, values } = conditionsOf(sql, scope.ownerId, filter);
      const rows = await sql.all<{ number: number }>(
        `select number from search_entries where owner_no = ? and ${where}`,
        [await owner.get(), ...values],
      );
      return new Set(rows.map((row) => row.number));
    },
    inOrder: async (numbers, order, request) => {
      const { ownerId } = scope;
      return numbersInOrder(sql, { ownerId, ownerNo: await owner.get() }, numbers, order, request);
    },
    terms: (numbers) => readTerms(sql, objects.read, numbers),
    texts: (numbers) => readTexts(sql, objects.read, numbers),
    identify: (numbers) => objects.read([...new Set(numbers)]),
    passagesOf: async (objectId, ord, limit) => {
      const entry = await readEntry(sql, await owner.get(), objectId);
      if (!entry) return [];
      const rows = await sql.all<PassageRow>(
        `select number, char_start, char_end, text from search_passages
         where number >= ? and number < ? order by number limit ?`,
        [passageNumber(entry.number, ord), passageNumber(entry.number, entry.passages), limit],
      );
      return rows.map(spanOf);
    },
  };
}

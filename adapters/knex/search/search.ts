import {
  titleRowNumber,
  passageNumber,
  type SearchEntry,
  type SearchIndex,
  type SearchStatistics,
  type SearchVisibility,
  type SearchZone,
} from '../../../ports/search.ts';
import type { OwnerScope } from '../../../ports/unit-of-work.ts';
import {
  conditionsOf,
  keepingObjects,
  readObjects,
  readTerms,
  readTexts,
  spanOf,
  splitTerms,
  writePassages,
  type PassageRow,
} from './search-rows.ts';
import { scopePrefix, termIndex } from './search-terms.ts';
import { upsertText, type Sql } from '../sql.ts';

/** Rows handled before control is yielded. */
const SLICE = 50;
const REMOVED_AT_ONCE = 1_000;

interface EntryRow {
  readonly number: number;
  readonly zone: SearchZone;
  readonly kind: string;
  readonly doc_type: string;
  readonly collection_id: string | null;
  readonly created_at: number;
  readonly passages: number;
  readonly terms: number;
}

interface PlacedRow extends EntryRow {
  readonly owner_no: number;
  readonly head: string | null;
}

const ENTRY = `search_owners o join search_entries e on e.owner_no = o.owner_no and e.object_id = ?
  where o.tenant_id = ? and o.owner_id = ?`;
const HEAD = `e.number * ${titleRowNumber(1)}`;

const PLACED = `select e.owner_no, e.number, e.zone, e.kind, e.doc_type, e.collection_id, e.created_at, e.passages, e.terms,
    (select p.terms from search_passages p where p.number = ${HEAD}) as head
  from ${ENTRY}`;

const ENTRY_COLUMNS = [
  'owner_no',
  'object_id',
  'zone',
  'kind',
  'doc_type',
  'collection_id',
  'created_at',
  'passages',
  'terms',
];

/** A head is a row without text of its own. */
const NO_TEXT = { charStart: 0, charEnd: 0, text: '' };

const zonesIn = (visibility: SearchVisibility): readonly SearchZone[] =>
  visibility === 'any' ? ['visible', 'hidden'] : [visibility];

export function knexSearch(sql: Sql, scope: OwnerScope): SearchIndex {
  const index = termIndex(sql);
  let known: number | undefined;

  /** The owner's short number; 0, which is never assigned, before the first entry. */
  const owner = async (): Promise<number> => {
    const found = await sql.get<{ owner_no: number }>(
      'select owner_no from search_owners where tenant_id = ? and owner_id = ?',
      [scope.tenantId, scope.ownerId],
    );
    return (known ??= found?.owner_no) ?? 0;
  };
  const ownerNo = async (): Promise<number> => known ?? owner();
  const numberOwner = async (): Promise<number> => {
    if ((await ownerNo()) === 0)
      await sql.enqueueChange(
        'insert into search_owners (tenant_id, owner_id) values (?, ?) on conflict do nothing',
        [scope.tenantId, scope.ownerId],
      );
    return ownerNo();
  };

  const objects = keepingObjects(async (numbers) => readObjects(sql, await ownerNo(), numbers));

  const entryOf = async (objectId: string): Promise<EntryRow | undefined> =>
    sql.get<EntryRow>(
      `select number, zone, kind, doc_type, collection_id, created_at, passages, terms
       from search_entries where owner_no = ? and object_id = ?`,
      [await ownerNo(), objectId],
    );
  const saveEntry = async (
    entry: SearchEntry,
    counts: Pick<EntryRow, 'passages' | 'terms'>,
  ): Promise<number> => {
    const row = await sql.get<{ number: number }>(
      `${upsertText('search_entries', ENTRY_COLUMNS, ['owner_no', 'object_id'])} returning number`,
      [
        await numberOwner(),
        entry.objectId,
        entry.zone,
        entry.kind,
        entry.docType,
        entry.collectionId,
        entry.createdAt,
        counts.passages,
        counts.terms,
      ],
    );
    if (!row) throw new Error('A placed object has no number.');
    return row.number;
  };
  /** The same with the terms of its head. */
  const placedOf = async (objectId: string) => {
    const row = await sql.get<PlacedRow>(PLACED, [objectId, scope.tenantId, scope.ownerId]);
    known ??= row?.owner_no;
    return row;
  };
  const removePassages = (from: number, to: number) =>
    inSlices(sql, from, to, REMOVED_AT_ONCE, (start, end) =>
      sql.run('delete from search_passages where number >= ? and number < ?', [start, end]),
    );

  const addToTotals = async (zone: SearchZone, { objects, passages, terms }: SearchStatistics) =>
    sql.run(
      `insert into search_totals as known (owner_no, zone, objects, passages, terms) values (?, ?, ?, ?, ?)
       on conflict (owner_no, zone) do update set objects = known.objects + excluded.objects,
         passages = known.passages + excluded.passages, terms = known.terms + excluded.terms`,
      [await ownerNo(), zone, objects, passages, terms],
    );
  const withdraw = (from: number, to: number) =>
    inSlices(sql, from, to, REMOVED_AT_ONCE, (start, end) => index.remove(start, end));
  const expose = async (from: number, to: number, zone: SearchZone) => {
    if (zone === 'excluded') return;
    const mark = scopePrefix(await ownerNo(), zone);
    await inSlices(sql, from, to, SLICE, async (start, end) => {
      const rows = await sql.all<{ number: number; terms: string }>(
        'select number, terms from search_passages where number >= ? and number < ?',
        [start, end],
      );
      await index.add(rows.map((row) => ({ ...row, mark, terms: splitTerms(row.terms) })));
    });
  };

  /** Under another name in the same zone. */
  const rename: SearchIndex['rename'] = async (objectId, zone, head) => {
    const values = [objectId, scope.tenantId, scope.ownerId];
    await Promise.all([
      sql.enqueueChange(
        `update search_passages set terms = ? where number = (select ${HEAD} from ${ENTRY})`,
        [head.join(' '), ...values],
      ),
      zone !== 'excluded' && index.replace({ number: HEAD, from: ENTRY, values }, zone, head),
    ]);
  };

  return {
    place: async (entry) => {
      objects.forget();
      const before = await placedOf(entry.objectId);
      const counts = { passages: before?.passages ?? 0, terms: before?.terms ?? 0 };
      const number = before && same(before, entry) ? before.number : await saveEntry(entry, counts);
      const head = titleRowNumber(number);
      const moved = before?.zone !== entry.zone;
      // Most changes of an object touch none of its names, and to write the index is the dearest part of many.
      if (!moved && before.head === entry.head.join(' ')) return;
      // Within its zone only the head can have changed: passages know nothing of names and folders.
      if (!moved) return rename(entry.objectId, entry.zone, entry.head);
      await writePassages(sql, [{ ...NO_TEXT, number: head, terms: entry.head }]);
      const end = passageNumber(number, counts.passages);
      if (before && before.zone !== 'excluded') await withdraw(head, end);
      await expose(head, end, entry.zone);
      if (before) await addToTotals(before.zone, negated({ objects: 1, ...counts }));
      await addToTotals(entry.zone, { objects: 1, ...counts });
    },
    rename,
    put: async (objectId, passages) => {
      const before = await entryOf(objectId);
      if (!before) throw new Error('Passages were put for an object that was never placed.');
      const start = passageNumber(before.number, 0);
      await withdraw(start, start + before.passages);
      await removePassages(start, start + before.passages);
      await inSlices(sql, 0, passages.length, SLICE, (from, to) =>
        writePassages(
          sql,
          passages.slice(from, to).map((passage) => ({ ...passage, number: start + passage.ord })),
        ),
      );
      await expose(start, start + passages.length, before.zone);
      const terms = passages.reduce((sum, passage) => sum + passage.terms.length, 0);
      await sql.enqueueChange(
        'update search_entries set passages = ?, terms = ? where number = ?',
        [passages.length, terms, before.number],
      );
      await addToTotals(before.zone, {
        objects: 0,
        passages: passages.length - before.passages,
        terms: terms - before.terms,
      });
    },
    drop: async (objectId) => {
      objects.forget();
      const before = await entryOf(objectId);
      if (!before) return;
      const [head, end] = [
        titleRowNumber(before.number),
        passageNumber(before.number, before.passages),
      ];
      if (before.zone !== 'excluded') await withdraw(head, end);
      await removePassages(head, end);
      await sql.enqueueChange('delete from search_entries where number = ?', [before.number]);
      await addToTotals(before.zone, negated({ objects: 1, ...before }));
    },

    statistics: async (visibility) => {
      const rows = await sql.all<SearchStatistics & { zone: SearchZone }>(
        'select zone, objects, passages, terms from search_totals where owner_no = ?',
        [await ownerNo()],
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
      const no = await ownerNo();
      return index.find(
        atom,
        zonesIn(visibility).map((zone) => scopePrefix(no, zone)),
      );
    },
    admitted: async (filter) => {
      const { where, values } = conditionsOf(sql, filter);
      const rows = await sql.all<{ number: number }>(
        `select number from search_entries where owner_no = ? and ${where}`,
        [await ownerNo(), ...values],
      );
      return new Set(rows.map((row) => row.number));
    },
    terms: (numbers) => readTerms(sql, objects.read, numbers),
    texts: (numbers) => readTexts(sql, objects.read, numbers),
    identify: (numbers) => objects.read([...new Set(numbers)]),
    passagesOf: async (objectId, ord, limit) => {
      const entry = await entryOf(objectId);
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

/** Whether the row of an entry needs no change. */
const same = (row: EntryRow, entry: SearchEntry): boolean =>
  row.zone === entry.zone &&
  row.kind === entry.kind &&
  row.doc_type === entry.docType &&
  row.collection_id === entry.collectionId &&
  row.created_at === entry.createdAt;

/** Yields control between slices. */
async function inSlices(
  sql: Sql,
  from: number,
  to: number,
  size: number,
  work: (start: number, end: number) => Promise<unknown>,
): Promise<void> {
  for (let start = from; start < to; start += size) {
    if (start > from) await sql.yield();
    await work(start, Math.min(start + size, to));
  }
}

const negated = ({ objects, passages, terms }: SearchStatistics): SearchStatistics => ({
  objects: -objects,
  passages: -passages,
  terms: -terms,
});

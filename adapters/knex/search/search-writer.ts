import {
  passageNumber,
  titleRowNumber,
  type SearchIndex,
  type SearchStatistics,
  type SearchZone,
} from '../../../ports/search.ts';
import type { OwnerScope } from '../../../ports/unit-of-work.ts';
import type { Sql } from '../sql.ts';
import { readEntry, same, saveEntry, type EntryRow } from './search-entries.ts';
import type { OwnerNumber } from './search-owner.ts';
import { splitTerms, writePassages } from './search-rows.ts';
import { scopePrefix, type TermIndex } from './search-terms.ts';

/** Rows handled before others get a turn. */
const SLICE = 50;
const REMOVED_AT_ONCE = 1_000;

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

/** A head is a row without text of its own. */
const NO_TEXT = { charStart: 0, charEnd: 0, text: '' };

type Writes = Pick<SearchIndex, 'place' | 'rename' | 'put' | 'drop'>;

/** @param forget forgets the objects that were read */
export function createSearchWriter(
  sql: Sql,
  scope: OwnerScope,
  owner: OwnerNumber,
  index: TermIndex,
  forget: () => void,
): Writes {
  /** An entry with the terms of its head. */
  const placedOf = async (objectId: string) => {
    const row = await sql.get<PlacedRow>(PLACED, [objectId, scope.tenantId, scope.ownerId]);
    owner.learn(row?.owner_no);
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
      [await owner.get(), zone, objects, passages, terms],
    );
  const withdraw = (from: number, to: number) =>
    inSlices(sql, from, to, REMOVED_AT_ONCE, (start, end) => index.remove(start, end));
  const expose = async (from: number, to: number, zone: SearchZone) => {
    if (zone === 'excluded') return;
    const mark = scopePrefix(await owner.get(), zone);
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
      forget();
      const before = await placedOf(entry.objectId);
      const counts = { passages: before?.passages ?? 0, terms: before?.terms ?? 0 };
      const number =
        before && same(before, entry)
          ? before.number
          : await saveEntry(sql, await owner.assign(), entry, counts);
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
      const before = await readEntry(sql, await owner.get(), objectId);
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
      forget();
      const before = await readEntry(sql, await owner.get(), objectId);
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
  };
}

/** Lets others have their turn between slices. */
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

import { objectNumberOf } from '../../../ports/search.ts';
import { splitTerms } from './search-rows.ts';
import { scopePrefix, termIndex } from './search-terms.ts';
import type { Sql } from '../sql.ts';

const AT_ONCE = 500;

interface Row {
  readonly number: number;
  readonly terms: string;
}

interface EntryRow {
  readonly number: number;
  readonly owner_no: number;
  readonly zone: 'visible' | 'hidden' | 'excluded';
}

/** Fills the empty full-text index from the terms that are stored with each passage. */
export async function rebuildIndex(sql: Sql): Promise<void> {
  const index = termIndex(sql);
  for (let last = -1; ;) {
    const rows = await sql.all<Row>(
      'select number, terms from search_passages where number > ? order by number limit ?',
      [last, AT_ONCE],
    );
    const [begin, end] = [rows[0], rows.at(-1)];
    if (!begin || !end) return;
    const entries = await sql.all<EntryRow>(
      `select number, owner_no, zone from search_entries
       where number >= ? and number <= ? and zone <> 'excluded'`,
      [objectNumberOf(begin.number), objectNumberOf(end.number)],
    );
    const marks = new Map(entries.map((it) => [it.number, scopePrefix(it.owner_no, it.zone)]));
    await index.add(
      rows.flatMap(({ number, terms }) => {
        const mark = marks.get(objectNumberOf(number));
        return mark === undefined ? [] : [{ number, mark, terms: splitTerms(terms) }];
      }),
    );
    last = end.number;
  }
}

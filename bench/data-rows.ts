import type { Database } from '../adapters/knex/database.ts';
import type { Sql } from '../adapters/knex/sql.ts';
import { titleTerms } from '../core/search/index.ts';
import { titleRowNumber } from '../ports/search.ts';
import type { OwnerScope } from '../ports/unit-of-work.ts';

export interface Name {
  readonly filename: string;
  readonly title: string;
}

/** Entries whose index is written in one transaction. */
const SLICE = 100_000;

/**
 * All rows derived from the objects of an owner without other data: versions, contents, counters, and the search
 * index of their names.
 */
export async function completed(
  database: Database,
  { tenantId, ownerId }: OwnerScope,
  names: ReadonlyMap<string, Name>,
): Promise<void> {
  const { dialect } = database;
  const write = <T>(work: (sql: Sql) => Promise<T>) => database.write(ownerId, work);
  const run = (text: string, ...values: (string | number)[]) =>
    write((sql) => sql.run(text, values));

  await run(
    `insert into versions (owner_id, object_id, version, kind, mime, format, size, sha256, blob_id, origin, created_at)
     select owner_id, id, 1, kind, mime, format, size, content_hash, blob_id, 'upload', created_at
     from objects where owner_id = ? order by id`,
    ownerId,
  );
  await run(
    `insert into contents (owner_id, sha256, size, blob_id, refs)
     select owner_id, content_hash, size, blob_id, count(*) from objects where owner_id = ?
     group by owner_id, content_hash, size, blob_id`,
    ownerId,
  );
  await run(
    `insert into owner_usage (owner_id, bytes)
     select owner_id, sum(size) from contents where owner_id = ? group by owner_id`,
    ownerId,
  );
  await run(
    `insert into list_counts (owner_id, list, part, n)
     select owner_id, 'versions', id, 1 from objects where owner_id = ? order by id`,
    ownerId,
  );
  for (const place of ["'*'", 'folder'])
    for (const facets of ['kind, doc_type, text_state, status, suggested', "'*', '*', '*', '*', 0"])
      await run(
        `insert into object_counts (owner_id, folder, trashed, is_hidden, kind, doc_type, text_state, status, suggested, n)
         select owner_id, ${place}, trashed, is_hidden, ${facets}, count(*)
         from objects where owner_id = ?
         group by owner_id, trashed, is_hidden${place === 'folder' ? ', folder' : ''}${facets.startsWith("'") ? '' : `, ${facets}`}`,
        ownerId,
      );

  await run('insert into search_owners (tenant_id, owner_id) values (?, ?)', tenantId, ownerId);
  const owner = await database.queryOnce((sql) =>
    sql.get<{ owner_no: number }>('select owner_no from search_owners where owner_id = ?', [
      ownerId,
    ]),
  );
  const ownerNo = owner?.owner_no ?? 0;
  await run(
    `insert into search_entries (owner_no, object_id, zone, kind, doc_type, collection_id, created_at, passages, terms)
     select ${ownerNo}, id, case when trashed = 1 then 'excluded' when is_hidden = 1 then 'hidden' else 'visible' end,
       kind, doc_type, nullif(folder, ''), created_at, 0, 0
     from objects where owner_id = ? order by created_at, id`,
    ownerId,
  );
  await run(
    `insert into search_totals (owner_no, zone, objects, passages, terms)
     select owner_no, zone, count(*), 0, 0 from search_entries where owner_no = ? group by owner_no, zone`,
    ownerNo,
  );
  await indexNames(database, write, ownerId, ownerNo, names);
  if (dialect === 'postgres') await database.knex.raw('vacuum analyze');
}

async function indexNames(
  database: Database,
  write: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
  ownerId: string,
  ownerNo: number,
  names: ReadonlyMap<string, Name>,
): Promise<void> {
  const vectors = database.dialect === 'postgres';
  const [number, terms, type] = vectors
    ? ['number', 'terms', '::tsvector']
    : ['rowid', 'terms', ''];
  await write(async (sql) => {
    await sql.run(
      'create table bench_names (filename text primary key, plain text, v text, h text)',
    );
    for (const name of names.values()) {
      const words = titleTerms(name);
      const marked = (zone: string) =>
        words
          .map((word) => markedTerm(`${ownerNo}${zone}_`, word))
          .map((word, i) => (vectors ? `'${word}':${i + 1}` : word))
          .join(' ');
      const row = [name.filename, words.join(' '), marked('v'), marked('h')];
      await sql.run('insert into bench_names values (?, ?, ?, ?)', row);
    }
  });
  const span = await database.queryOnce((sql) =>
    sql.get<{ least: number; most: number }>(
      'select min(number) as least, max(number) as most from search_entries where owner_no = ?',
      [ownerNo],
    ),
  );
  const head = `e.number * ${titleRowNumber(1)}`;
  const named = `from search_entries e
    join objects o on o.owner_id = ? and o.id = e.object_id
    join bench_names b on b.filename = o.filename
    where e.owner_no = ? and e.number >= ? and e.number < ?`;
  for (let from = span?.least ?? 0; from <= (span?.most ?? -1); from += SLICE)
    await write(async (sql) => {
      const values = [ownerId, ownerNo, from, from + SLICE];
      await sql.run(
        `insert into search_passages (number, char_start, char_end, terms, text)
         select ${head}, 0, 0, b.plain, '' ${named} order by e.number`,
        values,
      );
      await sql.run(
        `insert into search_terms (${number}, ${terms})
         select ${head}, (case e.zone when 'visible' then b.v else b.h end)${type}
         ${named} and e.zone <> 'excluded' order by e.number`,
        values,
      );
    });
  await write((sql) => sql.run('drop table bench_names'));
}

/** In the form in which the index stores a term: overlong terms are hashed. */
const markedTerm = (mark: string, term: string): string =>
  mark +
  term.replace(
    /[\0-/:-`{-\x7f]/g,
    (char) => `_${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

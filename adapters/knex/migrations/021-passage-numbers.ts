import type { Migration } from './migration.ts';

/**
 * On SQLite the number of a passage is where its row lies. Any other type than `integer` made an index of its own for it,
 * and each look-up walked two trees, the rows in the order in which they had come.
 */
export const passageNumbers: Migration = {
  version: 21,
  name: 'passage-numbers',
  up: async (knex, { text, int, large, dialect }) => {
    if (dialect === 'postgres') return;
    await knex.raw(`create table search_passages_by_number (
      number ${int} not null primary key,
      char_start ${int} not null,
      char_end ${int} not null,
      terms ${text} not null,
      text ${text} not null
    )${large}`);
    const columns = 'number, char_start, char_end, terms, text';
    await knex.raw(
      `insert into search_passages_by_number (${columns})
       select ${columns} from search_passages order by number`,
    );
    await knex.raw('drop table search_passages');
    await knex.raw('alter table search_passages_by_number rename to search_passages');
  },
};

import type { Migration } from '../adapters/knex/schema/migration.ts';
import { MIGRATIONS } from '../adapters/knex/schema/migrations.ts';

const NEWEST = MIGRATIONS.at(-1)?.version ?? 0;

/** Adds columns, a table and indexes, and changes rows that exist. */
const additions: Migration = {
  version: NEWEST + 1,
  name: 'fabricated additions',
  up: async (knex, { text, int, flag, clustered }) => {
    await knex.raw(`alter table text_corrections add column author ${text} not null default ''`);
    await knex.raw(`alter table themes add column archived_at ${int}`);
    await knex.raw(`create table guests (
      owner_id ${text} not null,
      id ${text} not null,
      is_blocked ${flag} not null default 0,
      primary key (owner_id, id)
    )${clustered}`);
    await knex.raw('create unique index guests_by_id on guests (id)');
    await knex.raw(
      'create index themes_archived on themes (archived_at) where archived_at is not null',
    );
    await knex.raw("update text_corrections set author = 'owner'");
  },
};

/** Copies a large table, as a change of its key requires. */
const rebuild: Migration = {
  version: NEWEST + 2,
  name: 'fabricated rebuild',
  up: async (knex, { text, int, heap }) => {
    await knex.raw(`create table rebuilt_passages (
      number ${int} not null primary key,
      char_start ${int} not null,
      char_end ${int} not null,
      terms ${text} not null,
      text ${text} not null
    )${heap}`);
    const columns = 'number, char_start, char_end, terms, text';
    await knex.raw(
      `insert into rebuilt_passages (${columns}) select ${columns} from search_passages order by number`,
    );
    await knex.raw('drop table search_passages');
    await knex.raw('alter table rebuilt_passages rename to search_passages');
  },
};

/**
 * The migrations of the program, and two as a later release could add them: these two test what every upgrade relies on.
 */
export const LATER_MIGRATIONS: readonly Migration[] = [...MIGRATIONS, additions, rebuild];

import type { Knex } from 'knex';
import type { DialectTypes } from '../migration.ts';

/**
 * The tables of the search index. `search_entries` has a row per object, `search_passages` its title row and passages under
 * their numbers. `search_terms` (FTS5, or a tsvector with a GIN index) maps a term to these numbers. Each term carries a
 * prefix for owner and zone, so that no lookup reads another owner's or a hidden row.
 */
export async function createSearchTables(knex: Knex, { dialect }: DialectTypes): Promise<void> {
  await knex.schema.createTable('search_owners', (table) => {
    table.increments('owner_no');
    table.text('tenant_id').notNullable();
    table.text('owner_id').notNullable();
    table.unique(['tenant_id', 'owner_id']);
  });
  await knex.schema.createTable('search_entries', (table) => {
    table.bigIncrements('number');
    table.integer('owner_no').notNullable();
    table.text('object_id').notNullable();
    table.text('zone').notNullable();
    table.text('kind').notNullable();
    table.text('doc_type').notNullable();
    table.text('collection_id');
    table.bigInteger('created_at').notNullable();
    table.integer('passages').notNullable();
    table.integer('terms').notNullable();
    table.unique(['owner_no', 'object_id']);
    table.index(['owner_no', 'collection_id']);
  });
  await knex.schema.createTable('search_totals', (table) => {
    table.integer('owner_no').notNullable();
    table.text('zone').notNullable();
    table.bigInteger('objects').notNullable();
    table.bigInteger('passages').notNullable();
    table.bigInteger('terms').notNullable();
    table.primary(['owner_no', 'zone']);
  });
  await (dialect === 'sqlite' ? createSqliteIndex(knex) : createPostgresIndex(knex));
}

async function createSqliteIndex(knex: Knex): Promise<void> {
  // Only `integer` makes the number the row's own key. Any other type adds an index, and each lookup reads two trees.
  // `terms` precedes `text`, so that scoring reads no overflow page of the text.
  await knex.raw(`create table search_passages (
    number integer not null primary key,
    char_start integer not null,
    char_end integer not null,
    terms text not null,
    text text not null
  ) strict`);
  // The tokenizer preserves terms of ASCII letters, digits, underscores and any character beyond ASCII.
  await knex.raw(
    `create virtual table search_terms using fts5(
       terms, content='', contentless_delete=1, tokenize="ascii tokenchars '_'")`,
  );
  // Merges triggered by deleted rows alone blocked a commit for 300 ms; ordinary merges remove those rows as well.
  await knex.raw(`insert into search_terms(search_terms, rank) values ('deletemerge', 0)`);
}

async function createPostgresIndex(knex: Knex): Promise<void> {
  await knex.schema.createTable('search_passages', (table) => {
    table.bigInteger('number').primary();
    table.integer('char_start').notNullable();
    table.integer('char_end').notNullable();
    table.text('terms').notNullable();
    table.text('text').notNullable();
  });
  await knex.schema.createTable('search_terms', (table) => {
    table.bigInteger('number').primary();
    table.specificType('terms', 'tsvector').notNullable();
  });
  // Vectors are stored out of line: the index alone finds a match, and reading matches should meet narrow rows.
  await knex.raw('alter table search_terms alter column terms set storage external');
  await knex.raw('alter table search_terms set (toast_tuple_target = 128)');
  await knex.raw('create index search_terms_gin on search_terms using gin (terms)');
}

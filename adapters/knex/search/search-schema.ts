import type { Knex } from 'knex';

/**
 * The tables of the search index. `search_entries` holds what is known of an object, `search_passages` its head and
 * passages under their numbers, and the index proper (FTS5 or a tsvector with GIN) only which number holds which
 * marked term. The mark tells owner and zone, so that no look-up ever meets a foreign or hidden row.
 */
export async function createSearchTables(knex: Knex): Promise<void> {
  const { client } = (knex.client as Knex.Client).config;
  const sqlite = client === 'better-sqlite3';
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
  await knex.schema.createTable('search_passages', (table) => {
    table.bigInteger('number').primary();
    table.integer('char_start').notNullable();
    table.integer('char_end').notNullable();
    // Before the text, so that scoring reads no overflow page of it.
    table.text('terms').notNullable();
    table.text('text').notNullable();
  });
  if (sqlite) await createFts5(knex);
  else await createVectors(knex);
}

async function createFts5(knex: Knex): Promise<void> {
  // Terms arrive as ASCII letters, digits, underscores and anything beyond ASCII: what this tokenizer keeps whole.
  await knex.raw(
    `create virtual table search_terms using fts5(
       terms, content='', contentless_delete=1, tokenize="ascii tokenchars '_'")`,
  );
  // Merging for the sake of deleted rows alone froze a commit for 300 ms; ordinary merges drop them as well.
  await knex.raw(`insert into search_terms(search_terms, rank) values ('deletemerge', 0)`);
}

async function createVectors(knex: Knex): Promise<void> {
  await knex.schema.createTable('search_terms', (table) => {
    table.bigInteger('number').primary();
    table.specificType('terms', 'tsvector').notNullable();
  });
  // The vectors out of line: a match is told by the index, so walking the matches should meet narrow rows.
  await knex.raw('alter table search_terms alter column terms set storage external');
  await knex.raw('alter table search_terms set (toast_tuple_target = 128)');
  await knex.raw('create index search_terms_gin on search_terms using gin (terms)');
}

import type { Knex } from 'knex';

/** Column types and table options with which one statement serves both databases. */
export interface DialectTypes {
  readonly dialect: 'sqlite' | 'postgres';
  readonly text: string;
  readonly int: string;
  readonly flag: string;
  /** Option of a table with short rows: SQLite stores the rows in the primary key (`without rowid`). */
  readonly clustered: string;
  /** Option of a table whose rows may be long: SQLite stores them beside the primary key. */
  readonly heap: string;
}

export interface Migration {
  /** From 1, each one higher than the previous. */
  readonly version: number;
  readonly name: string;
  up(knex: Knex, types: DialectTypes): Promise<void>;
}

/** A strict table rejects a value of another type, as Postgres does. */
const SQLITE_TYPES: DialectTypes = {
  dialect: 'sqlite',
  text: 'text',
  int: 'integer',
  flag: 'integer',
  clustered: ' strict, without rowid',
  heap: ' strict',
};

/** Collation "C" compares bytes, as SQLite does; the default collation of a database may sort by language. */
const POSTGRES_TYPES: DialectTypes = {
  dialect: 'postgres',
  text: 'text collate "C"',
  int: 'bigint',
  flag: 'smallint',
  clustered: '',
  heap: '',
};

export const DIALECT_TYPES = { sqlite: SQLITE_TYPES, postgres: POSTGRES_TYPES } as const;

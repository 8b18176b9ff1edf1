import type { Knex } from 'knex';

/** The words in which a migration is written once for both databases. */
export interface Words {
  readonly dialect: 'sqlite' | 'postgres';
  readonly text: string;
  readonly int: string;
  readonly flag: string;
  /** Ends a table whose rows are short: on SQLite the row lies in its primary key. */
  readonly small: string;
  /** Ends a table whose rows may be long. */
  readonly large: string;
}

export interface Migration {
  /** From 1, each higher than the one before. */
  readonly version: number;
  readonly name: string;
  up(knex: Knex, words: Words): Promise<void>;
}

/** Strict tables hold a value of another type for the defect it is, as Postgres does anyway. */
export const SQLITE_WORDS: Words = {
  dialect: 'sqlite',
  text: 'text',
  int: 'integer',
  flag: 'integer',
  small: ' strict, without rowid',
  large: ' strict',
};

/** The collation of the database may order by language; ours is by bytes, as on SQLite. */
export const POSTGRES_WORDS: Words = {
  dialect: 'postgres',
  text: 'text collate "C"',
  int: 'bigint',
  flag: 'smallint',
  small: '',
  large: '',
};

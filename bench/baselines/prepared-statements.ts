import { hash } from 'node:crypto';
import Database from 'better-sqlite3';
import pg from 'pg';
import type { Row } from './replies.ts';

type Values = readonly (string | number)[];

/** Prepared statements; synchronous if the database is. */
export interface Store {
  get(text: string, values: Values): Row | undefined | Promise<Row | undefined>;
  all(text: string, values: Values): Row[] | Promise<Row[]>;
}

/** The prefix of the placeholders prevents SQLite from parsing the statements again for each value. */
export function sqliteStore(file: string): Store {
  const database = new Database(file);
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = full');
  database.pragma('cache_size = -16000');
  const stored = new Map<string, Database.Statement>();
  const prepared = (text: string) => {
    const found = stored.get(text) ?? database.prepare(text.replaceAll('?', '+?'));
    stored.set(text, found);
    return found;
  };
  return {
    get: (text, values) => prepared(text).get(...values) as Row | undefined,
    all: (text, values) => prepared(text).all(...values) as Row[],
  };
}

const NUMERIC = new Set([20, 1700]);

export function postgresStore(url: string): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        NUMERIC.has(oid) ? Number : (pg.types.getTypeParser(oid, format as 'text') as never),
    },
  });
  const names = new Map<string, { readonly name: string; readonly text: string }>();
  const named = (text: string) => {
    let position = 0;
    const found = names.get(text) ?? {
      name: hash('sha1', text).slice(0, 16),
      text: text.replaceAll('?', () => `$${++position}`),
    };
    names.set(text, found);
    return found;
  };
  const rows = async (text: string, values: Values) =>
    (await pool.query<Row>({ ...named(text), values: [...values] })).rows;
  return { get: async (text, values) => (await rows(text, values))[0], all: rows };
}

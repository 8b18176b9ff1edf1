import type pg from 'pg';
import { translated } from './outages.ts';
import type { OpenSql, Value } from './sql.ts';

const MOST_STATEMENTS = 500;
/** Past the server's own statement timeout, for a server that says nothing any more. */
const SILENCE_MS = 35_000;

interface Statement {
  readonly name?: string;
  readonly text: string;
}

const named = new Map<string, Statement>();

/** The same text under one name on every connection; Postgres plans it once per connection. */
function statement(text: string): Statement {
  const found = named.get(text);
  if (found) return found;
  let position = 0;
  const numbered = text.replaceAll('?', () => `$${++position}`);
  // Past the bound a statement is sent unnamed: names live on the server for the length of a connection.
  if (named.size >= MOST_STATEMENTS) return { text: numbered };
  const made = { name: `ow_${named.size + 1}`, text: numbered };
  named.set(text, made);
  return made;
}

/** Sends one query, or several without values, and gives up on a server that has fallen silent. */
export const ask = (
  connection: pg.ClientBase,
  text: string,
): Promise<pg.QueryResult | readonly pg.QueryResult[]> => {
  const query = { text, query_timeout: SILENCE_MS };
  return connection.query(query);
};

export function postgresSql(connection: pg.ClientBase): OpenSql {
  let open = true;
  const query = async (text: string, values: readonly Value[]) => {
    if (!open) throw new Error('A store was used after its unit of work.');
    const request = { ...statement(text), values: [...values], query_timeout: SILENCE_MS };
    return connection.query<Record<string, unknown>>(request).catch((error: unknown) => {
      throw translated(error);
    });
  };
  return {
    dialect: 'postgres',
    all: async <Row>(text: string, values: readonly Value[] = []) =>
      (await query(text, values)).rows as Row[],
    get: async <Row>(text: string, values: readonly Value[] = []) =>
      (await query(text, values)).rows[0] as Row | undefined,
    column: async <T>(text: string, values: readonly Value[] = []) =>
      (await query(text, values)).rows.map((row) => Object.values(row)[0] as T),
    run: async (text: string, values: readonly Value[] = []) =>
      (await query(text, values)).rowCount ?? 0,
    end: () => {
      open = false;
    },
  };
}

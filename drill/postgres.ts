import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { end, run, until } from './child.ts';
import { findProgram, freePort, ordinaryUser } from './external-programs.ts';

const START_MS = 60_000;

/** A temporary Postgres, with default durability. */
export interface Postgres {
  /** Creates a database; returns its URL. */
  database(name: string): Promise<string>;
  /** `SIGINT` shuts it down (fast), `SIGQUIT` immediately: then it has to recover from its log. */
  stop(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
}

export async function openPostgres(folder: string): Promise<Postgres> {
  const [initdb, program] = [findProgram('initdb'), findProgram('postgres')];
  const user = ordinaryUser();
  const home = join(folder, 'postgres');
  const data = join(home, 'data');
  await mkdir(home);
  if (user) await chown(home, user.uid, user.gid);
  const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  await promisify(execFile)(initdb, words, { ...user, cwd: home });
  const port = await freePort();
  const addressOf = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`;

  /** Rejects while it accepts no connections. */
  const asAdministrator = async (sql: string) => {
    const client = new pg.Client({ connectionString: addressOf('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  let server: ChildProcess;
  const start = async () => {
    const set = ['listen_addresses=127.0.0.1', `unix_socket_directories=${home}`];
    const words = ['-D', data, '-p', String(port), ...set.flatMap((each) => ['-c', each])];
    server = run(program, words, { ...user, cwd: home, stdio: 'ignore' });
    const answers = () =>
      asAdministrator('select 1').then(
        () => true,
        () => false,
      );
    await until('Postgres starts', answers, START_MS);
  };
  await start();
  return {
    database: async (name) => {
      await asAdministrator(`create database ${pg.escapeIdentifier(name)}`);
      return addressOf(name);
    },
    stop: (signal) => end(server, signal),
    start,
  };
}

import { join } from 'node:path';
import { knexDirectory } from '../../adapters/knex/operations/directory.ts';
import { openPostgres } from '../../adapters/knex/postgres/open.ts';
import { openSqlite } from '../../adapters/knex/sqlite/open.ts';
import { KnexUnitOfWork } from '../../adapters/knex/unit-of-work.ts';
import { cryptoRandom, sha256Digest, systemClock } from '../../adapters/node/system.ts';
import { makeToken } from '../../core/identity/index.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Served } from './harness.ts';

const PREFIX = /^owt_(.{8})_/;

/** Runs a unit of work for the owner of a token, past the service. */
export async function writeAsOwner<T>(
  { databaseUrl, dataDir }: Pick<Served, 'databaseUrl' | 'dataDir'>,
  ownersToken: string,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const database =
    databaseUrl === undefined
      ? openSqlite(join(dataDir, 'workspace.db'))
      : openPostgres(databaseUrl);
  try {
    const known = await knexDirectory(database).identify(PREFIX.exec(ownersToken)?.[1] ?? '');
    if (!known) throw new Error('There is no such token.');
    const scope = { tenantId: known.tenant.id, ownerId: known.owner.id };
    return await new KnexUnitOfWork(database).write(scope, work);
  } finally {
    await database.close();
  }
}

/** A token of the owner of another token, bound to any folders: written past the service, which checks them. */
export async function boundToken(
  service: Pick<Served, 'databaseUrl' | 'dataDir'>,
  ownersToken: string,
  folderIds: readonly string[],
): Promise<string> {
  const deps = { digests: sha256Digest, clock: systemClock, random: cryptoRandom };
  const { token, bearer } = makeToken(deps, { name: 'bound', folderIds });
  await writeAsOwner(service, ownersToken, ({ tokens }) => tokens.add(token));
  return bearer;
}

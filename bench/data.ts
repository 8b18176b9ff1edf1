import { hash } from 'node:crypto';
import { join } from 'node:path';
import { FsBlobStore } from '../adapters/blobs-fs/blob-store.ts';
import { knexAccounts } from '../adapters/knex/operations/accounts.ts';
import type { Database } from '../adapters/knex/database.ts';
import { openSqlite } from '../adapters/knex/sqlite/open.ts';
import { migrate } from '../adapters/knex/schema/migrate.ts';
import {
  STORED_COLUMNS,
  objectValues,
  toStoredRow,
} from '../adapters/knex/stores/objects/object-rows.ts';
import { placeholders, type Value } from '../adapters/knex/sql.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { cryptoRandom, sha256Digest } from '../adapters/node/system.ts';
import type { OwnerScope } from '../ports/unit-of-work.ts';
import { completed, type Name } from './data-rows.ts';
import {
  FOLDERS,
  MINUTE_MS,
  named,
  randomAt,
  sample,
  type Blob,
  type Sampled,
} from './data-sample.ts';

export { sample } from './data-sample.ts';

const CONTENTS = 100;
const NOTIFICATIONS = 60;
/** Rows per transaction, and per statement. */
const BATCH = 20_000;
const ROWS = 50;

export interface Filled extends OwnerScope {
  readonly bearer: string;
  /** A visible object from the middle. */
  readonly objectId: string;
  readonly folderId: string;
}

/** A standalone workspace of one owner with `count` objects. */
export async function fill(dataDir: string, count: number): Promise<Filled> {
  const database = openSqlite(join(dataDir, 'workspace.db'));
  await migrate(database);
  const filled = await fillDatabase(database, dataDir, count);
  await database.close();
  return filled;
}

/**
 * The same in a database with existing tables. The rows of the objects are inserted, and everything derived from them
 * is computed by a few statements over all of them, so that a million take a minute or two. The result is what the
 * service would have written: its doctor finds nothing.
 */
export async function fillDatabase(
  database: Database,
  dataDir: string,
  count: number,
): Promise<Filled> {
  // Durability is not needed, since the data can be generated again; there is only one writer.
  if (database.dialect === 'sqlite')
    for (const pragma of ['synchronous = off', 'cache_size = -200000'])
      await database.knex.raw(`pragma ${pragma}`);
  const scope = { tenantId: cryptoRandom.uuid(), ownerId: cryptoRandom.uuid() };
  const { tenantId, ownerId } = scope;
  const createdAt = Date.now() - count * MINUTE_MS;
  const accounts = knexAccounts(database);
  await accounts.addTenant({ id: tenantId, name: `bench ${count}`, createdAt });
  await accounts.addOwner({ id: ownerId, tenantId, name: 'bench', role: 'unlimited', createdAt });
  const uow = new KnexUnitOfWork(database);
  const bearer = `owt_bench${String(count).padStart(3, '0').slice(-3)}_${cryptoRandom.secret(32)}`;
  const folders = Array.from({ length: FOLDERS }, () => cryptoRandom.uuid());
  await uow.write(scope, async ({ tokens, collections, notifications }) => {
    await tokens.add({
      id: cryptoRandom.uuid(),
      name: 'bench',
      prefix: bearer.slice(4, 12),
      digest: sha256Digest.digest(bearer),
      access: 'full',
      scopes: null,
      folderIds: null,
      createdAt,
      expiresAt: null,
      lastUsedAt: null,
      lastUsedNetwork: null,
    });
    for (const [n, id] of folders.entries())
      await collections.save({
        ...{ id, name: `Folder ${n}`, description: '', icon: '', themeId: null },
        ...{ createdAt, updatedAt: createdAt },
      });
    for (let i = 0; i < NOTIFICATIONS; i++)
      await notifications.add({
        id: cryptoRandom.uuid(),
        kind: 'object.ready',
        title: `Document number ${i} of the bench.pdf is ready`,
        body: 'Its text can be searched and used in answers.',
        payload: { object_id: folders[0], filename: `Document number ${i} of the bench.pdf` },
        objectId: null,
        isHidden: false,
        readAt: i < NOTIFICATIONS / 2 ? createdAt : null,
        createdAt: createdAt + i,
      });
  });
  const from: Sampled = { createdAt, folders, blobs: await someBlobs(dataDir, count) };
  const { names, objectId } = await addObjects(database, ownerId, from, count);
  await completed(database, scope, names);
  return { ...scope, bearer, objectId, folderId: folders[1] ?? '' };
}

/** Bytes shared by the objects. */
async function someBlobs(dataDir: string, count: number): Promise<readonly Blob[]> {
  const blobs = await FsBlobStore.open(dataDir);
  return Promise.all(
    Array.from({ length: Math.min(CONTENTS, count) }, async (_, n) => {
      const text = `What is in file ${n}. `.repeat(n + 1);
      const { blobId } = await blobs.write(text, { maxBytes: text.length });
      return { blobId, size: text.length, sha256: hash('sha256', text) };
    }),
  );
}

async function addObjects(database: Database, ownerId: string, from: Sampled, count: number) {
  const names = new Map<string, Name>();
  const columns = ['owner_id', ...STORED_COLUMNS];
  const insert = (rows: number) =>
    `insert into objects (${columns.join(', ')}) values ${Array.from(
      { length: rows },
      () => `(${placeholders(columns.length)})`,
    ).join(', ')}`;
  const random = randomAt(1);
  let objectId = '';
  for (let done = 0; done < count; done += BATCH)
    await database.write(ownerId, async (sql) => {
      let values: Value[] = [];
      let waiting = 0;
      const last = Math.min(count, done + BATCH) - 1;
      for (let i = done; i <= last; i++) {
        const object = sample(i, from.createdAt + i * MINUTE_MS, random, from);
        named(names, object);
        if (i <= count >> 1 && !object.isHidden && object.deletedAt === null) objectId = object.id;
        values.push(...objectValues(ownerId, toStoredRow(object)));
        if (++waiting < ROWS && i < last) continue;
        await sql.run(insert(waiting), values);
        [values, waiting] = [[], 0];
      }
    });
  return { names, objectId };
}

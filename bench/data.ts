import { join } from 'node:path';
import { knexAccounts } from '../adapters/knex/accounts.ts';
import { openSqlite } from '../adapters/knex/database.ts';
import { migrate } from '../adapters/knex/migrations/index.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { cryptoEntropy, sha256Digest } from '../adapters/node/system.ts';
import type { StoredObject } from '../ports/objects.ts';

const KINDS = ['pdf', 'document', 'text', 'image', 'note', 'spreadsheet'] as const;
const TYPES = ['contract', 'invoice', 'report', 'letter', 'note', 'other'] as const;
const BATCH = 5_000;
const MINUTE_MS = 60_000;
const NOTIFICATIONS = 60;

export interface Filled {
  readonly tenantId: string;
  readonly ownerId: string;
  readonly bearer: string;
  /** One of the objects, from the middle. */
  readonly objectId: string;
}

/** A workspace of one owner with `count` objects, written by the service's own stores, counters and all. */
export async function fill(dataDir: string, count: number): Promise<Filled> {
  const database = openSqlite(join(dataDir, 'workspace.db'));
  await migrate(database);
  const tenantId = cryptoEntropy.uuid();
  const ownerId = cryptoEntropy.uuid();
  const createdAt = Date.now() - count * MINUTE_MS;
  const accounts = knexAccounts(database);
  await accounts.addTenant({ id: tenantId, name: `bench ${count}`, createdAt });
  await accounts.addOwner({ id: ownerId, tenantId, name: 'bench', role: 'unlimited', createdAt });
  const uow = new KnexUnitOfWork(database);
  const scope = { tenantId, ownerId };
  const bearer = `owt_bench${String(count).padStart(3, '0').slice(-3)}_${cryptoEntropy.secret(32)}`;
  await uow.write(scope, async ({ tokens }) => {
    await tokens.add({
      id: cryptoEntropy.uuid(),
      name: 'bench',
      prefix: bearer.slice(4, 12),
      digest: sha256Digest.digest(bearer),
      access: 'full',
      createdAt,
      expiresAt: null,
    });
  });
  let objectId = '';
  for (let done = 0; done < count; done += BATCH)
    await uow.write(scope, async ({ objects }) => {
      for (let i = done; i < Math.min(count, done + BATCH); i++) {
        const object = sample(i, createdAt + i * MINUTE_MS);
        if (i === count >> 1) objectId = object.id;
        await objects.save(object);
      }
    });
  await uow.write(scope, async ({ notifications }) => {
    for (let i = 0; i < NOTIFICATIONS; i++)
      await notifications.add({
        id: cryptoEntropy.uuid(),
        kind: 'object.ready',
        title: `Document number ${i} of the bench.pdf is ready`,
        body: 'Its text can be searched and asked about.',
        payload: { object_id: objectId, filename: `Document number ${i} of the bench.pdf` },
        objectId,
        isHidden: false,
        readAt: i < NOTIFICATIONS / 2 ? createdAt : null,
        createdAt: createdAt + i,
      });
  });
  await database.close();
  return { tenantId, ownerId, bearer, objectId };
}

export function sample(i: number, createdAt: number): StoredObject {
  const kind = KINDS[i % KINDS.length] ?? 'pdf';
  const filename = `Document number ${i} of the bench.${kind}`;
  return {
    id: cryptoEntropy.uuid(),
    filename,
    originalName: filename,
    aiName: '',
    nameSource: 'original',
    nameLocked: false,
    kind,
    mime: 'application/pdf',
    format: kind === 'pdf' ? 'pdf' : 'docx',
    size: 10_000 + i,
    contentHash: sha256Digest.digest(String(i)),
    blobId: cryptoEntropy.uuid(),
    version: 1,
    status: 'ready',
    error: null,
    isHidden: i % 50 === 7,
    deletedAt: null,
    collectionId: null,
    categories: [],
    docType: TYPES[i % TYPES.length] ?? 'other',
    title: `A title for document ${i}`,
    summary: 'A sentence that says what is in the document, as long as such sentences are.',
    meetingDate: null,
    suggestedName: null,
    suggestedReason: null,
    suggestedCollectionId: null,
    folderAnswered: false,
    sourceUrl: null,
    textState: 'available',
    hasCorrections: false,
    needsManual: false,
    createdAt,
    updatedAt: createdAt,
  };
}

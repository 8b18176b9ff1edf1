/**
 * Measures the cost of resolving a share link: `npm run bench:shares`. A visitor reads the first page of a folder of
 * a thousand files, with the maximum and with the default page size; interleaved with a bare server that does the
 * minimum, and compared by CPU time per request. The service counts its visits, the bare server does not.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../adapters/knex/sqlite/open.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { cryptoRandom, sha256Digest } from '../adapters/node/system.ts';
import { fill, sample } from './data.ts';
import { burst, serve, type Server } from './processes.ts';

const CLI = join(import.meta.dirname, '../dist/composition/cli.js');
const FILES = 1_000;
const OTHERS = 10_000;
const ROUNDS = 5;
const SECONDS = 2;
/** Required share of the bare server's throughput. */
const GOAL = 0.4;

const folder = await mkdtemp(join(tmpdir(), 'bench-shares-'));
const roles = join(folder, 'roles.json');
const plenty = {
  requests_per_minute: 1e9,
  questions: null,
  enrichments: null,
  storage_bytes: null,
};
await writeFile(roles, JSON.stringify({ unlimited: plenty }));
const { tenantId, ownerId } = await fill(folder, OTHERS);
const token = await share();
const service = await serve('service', [CLI, 'serve', '--json'], {
  DATA_DIR: folder,
  PORT: '0',
  ROLES_FILE: roles,
  LOG_LEVEL: 'info',
  // Visitors are rate limited by address, so the load comes from many.
  TRUST_PROXY: '1',
});
const bare = await serve(
  'limit: express',
  [join(import.meta.dirname, 'limits/shares.ts'), join(folder, 'workspace.db')],
  {},
  '/v1/public/shares/none',
);

const figures = [];
for (const limit of [FILES, 100]) {
  const path = `/v1/public/shares/${token}?limit=${limit}`;
  await requireEqual(path);
  const micros = new Map<Server, number[]>([
    [bare, []],
    [service, []],
  ]);
  for (let round = -1; round < ROUNDS; round++)
    for (const [server, all] of micros) {
      const { cpuMicros } = await burst(server, path, 'none', SECONDS);
      // The first round warms up and is not counted.
      if (round >= 0) all.push(cpuMicros);
    }
  const [least = NaN, real = NaN] = [...micros.values()].map(median);
  const share = least / real;
  figures.push({
    'files on the page': limit,
    'express, CPU µs': Math.round(least),
    'service, CPU µs': Math.round(real),
    'of the limit': Number(share.toFixed(2)),
    goal: GOAL,
    met: share >= GOAL ? 'yes' : 'MISSED',
  });
}
console.table(figures);
await service.stop();
await bare.stop();
await rm(folder, { recursive: true });

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** A folder of files in the same workspace, with a link. */
async function share(): Promise<string> {
  const database = openSqlite(join(folder, 'workspace.db'));
  const now = Date.now();
  const secret = cryptoRandom.secret(32);
  const id = cryptoRandom.uuid();
  await new KnexUnitOfWork(database).write({ tenantId, ownerId }, async (stores) => {
    await stores.collections.save({
      id,
      name: 'Holiday',
      description: '',
      icon: '',
      themeId: null,
      createdAt: now,
      updatedAt: now,
    });
    for (let i = 0; i < FILES; i++)
      await stores.objects.save({ ...sample(i, now + i), isHidden: false, collectionId: id });
    await stores.shares.save({
      id: cryptoRandom.uuid(),
      kind: 'folder',
      resourceId: id,
      role: 'viewer',
      name: 'For everybody',
      prefix: secret.slice(0, 6),
      digest: sha256Digest.digest(secret),
      passwordHash: null,
      expiresAt: null,
      accessCount: 1,
      uploadCount: 0,
      uploadedBytes: 0,
      maxUploadBytes: 2 ** 30,
      maxUploadFiles: 500,
      createdAt: now,
      updatedAt: now,
    });
  });
  await database.close();
  return secret;
}

/** The baseline does the same work only if its response is the same. */
async function requireEqual(path: string): Promise<void> {
  const [real, least] = await Promise.all(
    [service, bare].map(async ({ base }) => (await fetch(base + path)).text()),
  );
  if (real !== least)
    throw new Error(
      `The limit answers otherwise:\n${least?.slice(0, 400)}\n${real?.slice(0, 400)}`,
    );
}

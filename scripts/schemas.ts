import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS } from '../adapters/knex/migrations/index.ts';
import { openTestDatabase } from '../contract-tests/backends-env.ts';
import { SCHEMAS, dumpOf, fixtureName, type Dialect } from '../contract-tests/schema-fixtures.ts';

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Stores a snapshot of a released schema for both databases. To be run before a release, and before a migration is
 * added to a released one. An existing snapshot is never overwritten.
 */
await mkdir(SCHEMAS, { recursive: true });
for (const { version } of MIGRATIONS)
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const file = join(SCHEMAS, fixtureName(version, dialect));
    if (await isThere(file)) continue;
    await writeFile(file, await dumped(version, dialect));
    process.stdout.write(`kept: ${fixtureName(version, dialect)}\n`);
  }

async function dumped(version: number, dialect: Dialect): Promise<string> {
  if (dialect === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'ow-schema-'));
    try {
      return await dumpOf({ dialect, at: join(folder, 'workspace.db') }, version);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const place = await openTestDatabase();
  try {
    return await dumpOf({ dialect, at: place.url }, version);
  } finally {
    await place.drop();
  }
}

import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS } from '../adapters/knex/schema/migrations.ts';
import { openTestDatabase } from '../contract-tests/backends-env.ts';
import { SCHEMAS, dumpOf, fixtureName, type Dialect } from '../contract-tests/schema-fixtures.ts';

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Writes a dump of every version of the schema, in both databases. The newest version is always written again, because its
 * migration may change until it is released. Older dumps are never replaced: databases of that version exist.
 */
await mkdir(SCHEMAS, { recursive: true });
const newest = MIGRATIONS.at(-1)?.version;
for (const { version } of MIGRATIONS)
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const file = join(SCHEMAS, fixtureName(version, dialect));
    if (version !== newest && (await exists(file))) continue;
    await writeFile(file, await dump(version, dialect));
    process.stdout.write(`${fixtureName(version, dialect)}\n`);
  }

async function dump(version: number, dialect: Dialect): Promise<string> {
  if (dialect === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'ow-schema-'));
    try {
      return await dumpOf({ dialect, at: join(folder, 'workspace.db') }, version);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const server = await openTestDatabase();
  try {
    return await dumpOf({ dialect, at: server.url }, version);
  } finally {
    await server.drop();
  }
}

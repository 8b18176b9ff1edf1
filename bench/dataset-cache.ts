import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { fill, type Filled } from './data.ts';

/** Version of the generated data, which are generated again when it changes. */
const SOURCES = ['data.ts', 'data-rows.ts', 'data-sample.ts'];
const SCHEMA = join(import.meta.dirname, '../adapters/knex/schema');

/** A workspace with this many objects in the folder: from an earlier run, or a new one. */
export async function cachedDataset(dataDir: string, objects: number): Promise<Filled> {
  const manifestPath = join(dataDir, 'filled.json');
  const created = await madeBy();
  if (existsSync(manifestPath)) {
    const stored = JSON.parse(await readFile(manifestPath, 'utf8')) as {
      made: string;
      filled: Filled;
    };
    if (stored.made === created) return stored.filled;
  }
  // Made by another release, or incomplete.
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const filled = await fill(dataDir, objects);
  // Written last, so that incomplete data are generated again.
  await writeFile(manifestPath, JSON.stringify({ made: created, filled }));
  return filled;
}

async function madeBy(): Promise<string> {
  const names = await readdir(SCHEMA, { recursive: true });
  const schema = names.filter((name) => name.endsWith('.ts')).sort();
  const files = [
    ...SOURCES.map((name) => join(import.meta.dirname, name)),
    ...schema.map((name) => join(SCHEMA, name)),
  ];
  const texts = files.map((file) => readFile(file, 'utf8'));
  return hash('sha256', (await Promise.all(texts)).join('\n'));
}

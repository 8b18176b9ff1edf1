import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './env-variables.ts';

/** The same if a key exists: undefined otherwise, and none is created. */
export async function existingKey(secretKey: string, dataDir: string): Promise<string | undefined> {
  if (secretKey !== '') return secretKey;
  const file = join(dataDir, 'secret.key');
  return existsSync(file) ? (await readFile(file, 'utf8')).trim() : undefined;
}

/**
 * The installation's key: SECRET_KEY, or the key file of the data folder, created at the first start. The file
 * belongs to the data: a copy of the folder contains the key.
 */
export async function installationKey(secretKey: string, dataDir: string): Promise<string> {
  if (secretKey !== '') return secretKey;
  const file = join(dataDir, 'secret.key');
  try {
    // The first process creates it; concurrent starts end with the same key.
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return keyIn(file);
}

/** The existing key; creates none. */
export async function presentKey(secretKey: string, dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, 'secret.key');
  if (secretKey !== '') return secretKey;
  return existsSync(file) ? keyIn(file) : undefined;
}

async function keyIn(file: string): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const key = (await readFile(file, 'utf8')).trim();
    if (key.length >= 32) return key;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new ConfigError(`The key file ${file} is damaged: it contains fewer than 32 characters.`);
}

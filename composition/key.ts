import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './environment.ts';

/** The same where there is one already: undefined where there is none, and nothing is made. */
export async function existingKey(secretKey: string, dataDir: string): Promise<string | undefined> {
  if (secretKey !== '') return secretKey;
  const file = join(dataDir, 'secret.key');
  return existsSync(file) ? (await readFile(file, 'utf8')).trim() : undefined;
}

/**
 * The installation's key: SECRET_KEY, else the key file of the data folder, made at the first start. The file belongs
 * to the data: who copies the folder copies the key.
 */
export async function installationKey(secretKey: string, dataDir: string): Promise<string> {
  if (secretKey !== '') return secretKey;
  const file = join(dataDir, 'secret.key');
  try {
    // Whoever comes first makes it; two starts at once end up with one key.
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

/** The same, where there is one: makes none. */
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
  throw new ConfigError(`The key file ${file} is damaged: it holds fewer than 32 characters.`);
}

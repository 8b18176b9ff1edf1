import { access, constants, mkdir } from 'node:fs/promises';
import { ConfigError } from './environment.ts';

/** Makes the folder of the database, the files and the key where it is not there yet, for nobody else's eyes. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(`DATA_DIR=${JSON.stringify(dataDir)}: ${(error as Error).message}.`);
  }
}

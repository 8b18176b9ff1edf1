import { access, constants, mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FolderInUse, lockFolder } from '../adapters/node/folder-lock.ts';
import { ConfigError } from './environment.ts';

/** Makes the folder of the database, the files and the key where it is not there yet, for nobody else's eyes. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    await tryWriting(dataDir);
  } catch (error) {
    throw unusable(dataDir, (error as Error).message);
  }
}

/** Keeps every other standalone server and worker away from the folder until the answer is called. */
export function claimDataFolder(dataDir: string): () => void {
  try {
    return lockFolder(dataDir);
  } catch (error) {
    if (error instanceof FolderInUse)
      throw new ConfigError(
        `DATA_DIR=${JSON.stringify(dataDir)} is in use by another serve or worker; the standalone profile is one process.`,
      );
    throw unusable(dataDir, (error as Error).message);
  }
}

const unusable = (dataDir: string, why: string): ConfigError =>
  new ConfigError(`DATA_DIR=${JSON.stringify(dataDir)}: ${why}.`);

/** Step by step: node's own recursive mkdir never ends where a file system makes no folders, as /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path || (await isThere(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 }).catch(unlessThere);
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Of two that start at once the other may have been first. */
function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

/** Rights alone do not tell whether a file system takes anything. One that is merely full still serves what it has. */
async function tryWriting(dataDir: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(dataDir, '.try-')));
  } catch (error) {
    if (!/^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

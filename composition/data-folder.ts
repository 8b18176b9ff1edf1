import { access, constants, mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FolderInUse, lockFolder } from '../adapters/node/folder-lock.ts';
import type { Config } from './config.ts';
import { ConfigError } from './env-variables.ts';
import { retryWhileBusy } from './retry-while-busy.ts';

/** Creates the folder of the database, the files and the key if it is missing, accessible to this user only. */
export async function makeDataFolder({ dataDir, profile }: Config): Promise<void> {
  try {
    await makeFolder(dataDir);
    // A folder writable by its group is shared by processes of several users: new files must be open to the group too.
    if (profile === 'team' && isOfGroup((await stat(dataDir)).mode)) process.umask(0o007);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    await tryWriting(dataDir);
  } catch (error) {
    throw unusable(dataDir, (error as Error).message);
  }
}

/**
 * The warning for a data folder that other users of the machine may enter; undefined if they may not. It is only a warning:
 * refusing to start would stop an installation that has worked so far. In the team profile a group that may write is trusted.
 */
export async function openFolderWarning({ dataDir, profile }: Config): Promise<string | undefined> {
  const found = await stat(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (found === undefined || process.platform === 'win32') return undefined;
  const strangers = profile === 'team' && isOfGroup(found.mode) ? 0o007 : 0o077;
  if ((found.mode & strangers) === 0) return undefined;
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0');
  const whom = strangers === 0o007 ? 'o=' : 'go=';
  return (
    `DATA_DIR=${JSON.stringify(dataDir)} has mode ${mode}: other users of this machine can read documents and the key. ` +
    `Run \`chmod -R ${whom} ${shellWord(dataDir)}\`.`
  );
}

const isOfGroup = (mode: number): boolean => (mode & 0o070) === 0o070;

const shellWord = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** Keeps every other standalone server and worker from using the folder until the returned function is called. */
export async function claimDataFolder(dataDir: string): Promise<() => void> {
  try {
    return await retryWhileBusy(
      () => lockFolder(dataDir),
      (error) => error instanceof FolderInUse,
    );
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

/** Folder by folder: Node's recursive mkdir never ends on a file system without folders to create, such as /proc. */
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

/** A process that started at the same time may have been first. */
function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

/** Permissions alone do not show whether a file system is writable. One that is merely full can still be read. */
async function tryWriting(dataDir: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(dataDir, '.try-')));
  } catch (error) {
    if (!/^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

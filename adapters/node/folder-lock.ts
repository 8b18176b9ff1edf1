import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

const NAME = 'serving.lock';

/** Another process holds the lock of the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * Locks a folder for this process until the returned function is called. Throws FolderInUse while another process has
 * the lock.
 *
 * It is a system lock on an empty file, acquired as SQLite does on every platform. It ends with its process in any
 * case, it works between containers that share the folder, and a copy of the folder is not locked.
 */
export function lockFolder(folder: string): () => void {
  const holder = new Sqlite(join(folder, NAME), { timeout: 0 });
  try {
    // Nothing is ever written, so no journal is needed.
    holder.pragma('journal_mode = memory');
    holder.exec('begin exclusive');
  } catch (error) {
    holder.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY')
      throw new FolderInUse('Another process uses this folder.');
    throw error;
  }
  return () => holder.close();
}

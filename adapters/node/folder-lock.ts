import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

const NAME = 'serving.lock';

/** Somebody else holds the lock of the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * Holds a folder for this process alone until the answer is called. Throws FolderInUse while another process has it.
 *
 * The lock is the system's own on a file of no bytes, taken the way SQLite takes it everywhere: it ends with its
 * process however that ends, it counts between containers that share the folder, and a copy of the folder has none.
 */
export function lockFolder(folder: string): () => void {
  const holder = new Sqlite(join(folder, NAME), { timeout: 0 });
  try {
    // Nothing is ever written, so there is nothing to roll back and no journal to leave behind.
    holder.pragma('journal_mode = memory');
    holder.exec('begin exclusive');
  } catch (error) {
    holder.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY')
      throw new FolderInUse('Another process holds this folder.');
    throw error;
  }
  return () => holder.close();
}

import {
  InboxFileChangedError,
  type Inbox,
  type InboxFile,
  type InboxFolders,
  type InboxQuery,
  type InboxResult,
  type InboxWatch,
} from '../../ports/inbox.ts';
import { fileError, inboxError, isGone } from './errors.ts';
import { moveFile } from './move-file.ts';
import { OpenFolder, within } from './open-folder.ts';
import { isSameFile, kindOf, revisionOf } from './revision.ts';
import { FolderWatcher } from './watcher.ts';

const CHUNK_BYTES = 262_144;
/** Deeper folders are left alone. Far more than a path in the workspace may have. */
const MAX_LEVELS = 64;

/** Names are bytes, and written as Latin-1. */
const bytesOf = (name: string): string => Buffer.from(name).toString('latin1');

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** null if it is not valid UTF-8. */
function textOf(bytes: string): string | null {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return null;
  }
}

export interface FolderInboxOptions {
  readonly path: string;
  /** Network file systems report no changes. */
  readonly polls: boolean;
}

/** A folder on disk, watched by chokidar. */
export class FolderInbox implements Inbox {
  readonly #path: string;
  readonly #watcher: FolderWatcher | undefined;

  constructor({ path, polls }: FolderInboxOptions) {
    this.#path = path;
    this.#watcher = polls ? undefined : new FolderWatcher(path);
  }

  async folders(): Promise<InboxFolders> {
    return this.#at([], async (root) => {
      const names: string[] = [];
      let others = 0;
      for await (const name of root.names()) {
        if (name.startsWith('.')) continue;
        const text = textOf(name);
        const stats = await root.stat(name);
        if (stats?.isDirectory() && text !== null) names.push(text);
        else if (stats) others++;
      }
      return { names, others };
    }).catch((error: unknown) => {
      throw inboxError(error);
    });
  }

  async files(folder: string, query: InboxQuery): Promise<readonly InboxFile[]> {
    const found: InboxFile[] = [];
    try {
      await this.#at([bytesOf(folder)], (opened) =>
        collect(opened, { ...query, folder, found }, []),
      );
    } catch (error) {
      // Removed since the folders were listed.
      if (!isGone(error)) throw inboxError(error);
    }
    return found;
  }

  async isCurrent(file: InboxFile): Promise<boolean> {
    const { folders, name } = partsOf(file);
    try {
      const stats = await this.#at(folders, (folder) => folder.stat(name));
      return stats !== undefined && isSameFile(file, stats);
    } catch (error) {
      if (isGone(error)) return false;
      throw inboxError(error);
    }
  }

  async *read(file: InboxFile): AsyncGenerator<Uint8Array> {
    const { folders, name } = partsOf(file);
    try {
      const handle = await this.#at(folders, (folder) => folder.file(name));
      try {
        const requireSame = async () => {
          const stats = await handle.stat({ bigint: true });
          if (!stats.isFile() || !isSameFile(file, stats)) throw new InboxFileChangedError();
        };
        await requireSame();
        for (let position = 0; ;) {
          // A chunk belongs to its consumer.
          const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
          const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
          position += bytesRead;
          if (bytesRead === 0) break;
          // It grows while it is read.
          if (position > file.size) throw new InboxFileChangedError();
          yield buffer.subarray(0, bytesRead);
        }
        await requireSame();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw fileError(error);
    }
  }

  async move(file: InboxFile, result: InboxResult): Promise<void> {
    const { folders, name } = partsOf(file);
    const [owner = '', ...below] = folders;
    const target = [result.outcome === 'taken' ? '.taken' : '.refused', ...below];
    try {
      if (!(await this.isCurrent(file))) throw new InboxFileChangedError();
      await this.#at(folders, (from) =>
        within(
          () => this.#at([owner], (folder) => folder.makeFolder(target[0] ?? '')),
          below,
          (folder, step) => folder.makeFolder(step),
          (to) => moveFile(from, to, name, file, result),
        ),
      );
    } catch (error) {
      if (isGone(error) && !(await this.isCurrent(file))) throw new InboxFileChangedError();
      throw inboxError(error);
    }
  }

  watch(isIgnored: (name: string) => boolean, onChange: () => void): void {
    this.#watcher?.watch(isIgnored, onChange);
  }

  watching(): InboxWatch {
    return this.#watcher ? this.#watcher.state : 'polling';
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
  }

  #at<T>(folders: readonly string[], work: (folder: OpenFolder) => Promise<T>): Promise<T> {
    return within(
      () => OpenFolder.root(this.#path),
      folders,
      (folder, name) => folder.folder(name),
      work,
    );
  }
}

interface Collection extends InboxQuery {
  readonly folder: string;
  readonly found: InboxFile[];
}

async function collect(
  opened: OpenFolder,
  into: Collection,
  above: readonly string[],
): Promise<void> {
  for await (const name of opened.names()) {
    if (into.found.length >= into.limit) return;
    if (into.isIgnored(textOf(name) ?? name)) continue;
    const stats = await opened.stat(name);
    if (!stats) continue;
    const path = [...above, name];
    if (stats.isDirectory()) {
      if (path.length <= MAX_LEVELS) await descend(opened, name, into, path);
      continue;
    }
    const below = path.join('/');
    const id = `${bytesOf(into.folder)}/${below}`;
    if (into.isSkipped(id)) continue;
    into.found.push({
      folder: into.folder,
      id,
      path: textOf(below),
      kind: kindOf(stats),
      size: Number(stats.size),
      revision: revisionOf(stats),
    });
  }
}

/** A folder that may not be read, or has just been removed, does not stop the others. */
async function descend(
  parent: OpenFolder,
  name: string,
  into: Collection,
  path: readonly string[],
): Promise<void> {
  let below: OpenFolder;
  try {
    below = await parent.folder(name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isGone(error) || code === 'EACCES' || code === 'EPERM') return;
    throw error;
  }
  try {
    await collect(below, into, path);
  } finally {
    await below.close();
  }
}

/** The folders above a file, the owner's first, and its name. */
function partsOf({ id }: Pick<InboxFile, 'id'>): {
  readonly folders: readonly string[];
  readonly name: string;
} {
  const parts = id.split('/');
  return { folders: parts.slice(0, -1), name: parts.at(-1) ?? '' };
}

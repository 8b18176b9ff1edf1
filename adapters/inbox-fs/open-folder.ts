import { existsSync, type BigIntStats } from 'node:fs';
import { constants, lstat, mkdir, open, opendir, type FileHandle } from 'node:fs/promises';

/** Longest name of a file, in bytes. */
export const MAX_NAME_BYTES = 255;
const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;
/** Linux resolves paths below a descriptor, as openat(2) does. */
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');

/**
 * A folder that is open. Its entries are addressed through its descriptor where the system allows it: a folder of the path
 * that is replaced by a symbolic link in the meantime then leads nowhere else. Names are bytes, written as Latin-1.
 */
export class OpenFolder {
  readonly #handle: FileHandle;
  readonly #base: Buffer;

  private constructor(handle: FileHandle, path: Buffer) {
    this.#handle = handle;
    this.#base = HAS_DESCRIPTOR_PATHS ? Buffer.from(`/proc/self/fd/${handle.fd}`) : path;
  }

  /** The folder itself may be a symbolic link. */
  static async root(path: string): Promise<OpenFolder> {
    return new OpenFolder(await open(path, FLAGS), Buffer.from(path));
  }

  path(name: string): Buffer {
    return Buffer.concat([this.#base, Buffer.from('/'), Buffer.from(name, 'latin1')]);
  }

  async folder(name: string): Promise<OpenFolder> {
    const path = this.path(name);
    return new OpenFolder(await open(path, FLAGS | constants.O_NOFOLLOW), path);
  }

  /** Creates it if it is missing, as accessible as this one. */
  async makeFolder(name: string): Promise<OpenFolder> {
    const made = await mkdir(this.path(name)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return false;
      },
    );
    const folder = await this.folder(name);
    try {
      if (made) await folder.#handle.chmod(await this.mode());
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  async mode(): Promise<number> {
    return (await this.#handle.stat()).mode & 0o777;
  }

  async *names(): AsyncGenerator<string> {
    for await (const { name } of await opendir(this.#base.toString(), { encoding: 'latin1' }))
      yield name;
  }

  /** Of the entry itself, not of what a symbolic link leads to; undefined if it is missing. */
  async stat(name: string): Promise<BigIntStats | undefined> {
    try {
      return await lstat(this.path(name), { bigint: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** A file for reading. A pipe does not block. */
  file(name: string): Promise<FileHandle> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    return open(this.path(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  }

  /** Makes its entries durable, on file systems that can. */
  async sync(): Promise<void> {
    try {
      await this.#handle.sync();
    } catch (error) {
      if (
        !/^(EINVAL|EPERM|EBADF|ENOTSUP|EISDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')
      )
        throw error;
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Opens folders one below the other, closes them after the work. */
export async function within<T>(
  root: () => Promise<OpenFolder>,
  names: readonly string[],
  step: (folder: OpenFolder, name: string) => Promise<OpenFolder>,
  work: (folder: OpenFolder) => Promise<T>,
): Promise<T> {
  let folder = await root();
  try {
    for (const name of names) {
      const below = await step(folder, name);
      await folder.close();
      folder = below;
    }
    return await work(folder);
  } finally {
    await folder.close();
  }
}

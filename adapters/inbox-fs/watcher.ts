import { relative, sep } from 'node:path';
import type { InboxWatch } from '../../ports/inbox.ts';

/** Watches the folders below a folder. Files need no watch of their own: their folder notices their changes. */
export class FolderWatcher {
  readonly #root: string;
  #close: Promise<() => Promise<void>> | undefined;
  #state: InboxWatch = 'unavailable';

  constructor(root: string) {
    this.#root = root;
  }

  get state(): InboxWatch {
    return this.#state;
  }

  /** Ends an earlier watch. */
  watch(isIgnored: (name: string) => boolean, onChange: () => void): void {
    const earlier = this.close();
    this.#state = 'events';
    this.#close = earlier.then(() => this.#open(isIgnored, onChange));
    this.#close.catch(() => this.#fail());
  }

  async close(): Promise<void> {
    const closing = this.#close;
    this.#close = undefined;
    this.#state = 'unavailable';
    await (
      await closing?.catch(() => undefined)
    )?.();
  }

  async #open(isIgnored: (name: string) => boolean, onChange: () => void) {
    // Loaded here only: an installation without an inbox does not need it.
    const { watch } = await import('chokidar');
    const watcher = watch(this.#root, {
      followSymlinks: false,
      ignoreInitial: true,
      ignorePermissionErrors: true,
      ignored: (path, stats) =>
        (stats !== undefined && !stats.isDirectory()) ||
        relative(this.#root, path)
          .split(sep)
          .some((name) => name !== '' && isIgnored(name)),
    });
    watcher.on('raw', onChange);
    watcher.on('all', onChange);
    // Too many folders for the system, most often. The message would name a path.
    watcher.on('error', () => this.#fail());
    return () => watcher.close();
  }

  #fail(): void {
    if (this.#state !== 'unavailable') void this.close();
  }
}

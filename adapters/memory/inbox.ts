import { UnavailableError } from '../../ports/errors.ts';
import {
  InboxFileChangedError,
  InboxFileUnreadableError,
  type Inbox,
  type InboxEntryKind,
  type InboxFile,
  type InboxFolders,
  type InboxQuery,
  type InboxResult,
  type InboxWatch,
} from '../../ports/inbox.ts';

interface Entry {
  readonly bytes: Uint8Array;
  readonly kind: InboxEntryKind;
  readonly isUnreadable: boolean;
  readonly changes: number;
}

/** A folder in memory: the fake of unit tests. */
export class MemoryInbox implements Inbox {
  readonly #entries = new Map<string, Entry>();
  readonly #results = new Map<string, string>();
  readonly #folders = new Set<string>();
  #changes = 0;
  #onChange: () => void = () => undefined;
  /** While it is set, files can not be moved. */
  isStuck = false;
  /** While it is set, the whole folder is unavailable. */
  isDown = false;
  /** Number of reads that were begun. */
  reads = 0;
  /** Called before each chunk of a file. */
  onRead: (id: string) => void | Promise<void> = () => undefined;

  /** Puts a file at `folder/path`, or changes it. */
  put(id: string, bytes: string | Uint8Array, how: Partial<Omit<Entry, 'bytes'>> = {}): void {
    this.#folders.add(id.split('/')[0] ?? '');
    this.#entries.set(id, {
      kind: 'file',
      isUnreadable: false,
      ...how,
      bytes: Buffer.from(bytes),
      changes: ++this.#changes,
    });
    this.#onChange();
  }

  remove(id: string): void {
    this.#entries.delete(id);
  }

  /** The ids of the files that wait. */
  get waiting(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** What was moved: by its id below `.taken` or `.refused`, with its text. */
  get moved(): ReadonlyMap<string, string> {
    return this.#results;
  }

  folders(): Promise<InboxFolders> {
    if (this.isDown) return Promise.reject(new UnavailableError('inbox', 'The inbox is down.'));
    return Promise.resolve({ names: [...this.#folders], others: 0 });
  }

  files(folder: string, query: InboxQuery): Promise<readonly InboxFile[]> {
    const found = [...this.#entries]
      .filter(([id]) => {
        const [owner, ...names] = id.split('/');
        return owner === folder && !names.some((name) => query.isIgnored(name));
      })
      .filter(([id]) => !query.isSkipped(id))
      .slice(0, query.limit)
      .map(([id, entry]) => fileOf(folder, id, entry));
    return Promise.resolve(found);
  }

  isCurrent({ id, revision }: InboxFile): Promise<boolean> {
    const entry = this.#entries.get(id);
    return Promise.resolve(entry !== undefined && revisionOf(entry) === revision);
  }

  async *read(file: InboxFile): AsyncGenerator<Uint8Array> {
    this.reads++;
    const { bytes } = this.#require(file);
    for (let at = 0; at === 0 || at < bytes.length; at += 4) {
      await this.onRead(file.id);
      this.#require(file);
      yield Uint8Array.from(bytes.subarray(at, at + 4));
    }
  }

  move(file: InboxFile, result: InboxResult): Promise<void> {
    return Promise.resolve().then(() => {
      const entry = this.#entries.get(file.id);
      if (!entry || revisionOf(entry) !== file.revision) throw new InboxFileChangedError();
      if (this.isStuck) throw new UnavailableError('inbox', 'Files can not be moved.');
      const [owner = '', ...names] = file.id.split('/');
      const below = `${owner}/.${result.outcome}/${names.join('/')}`;
      let target = below;
      for (let nth = 2; this.#results.has(target); nth++) target = numbered(below, nth);
      this.#entries.delete(file.id);
      this.#results.set(target, Buffer.from(entry.bytes).toString());
      if (result.outcome === 'refused') this.#results.set(`${target}.txt`, `${result.reason}\n`);
    });
  }

  watch(_isIgnored: (name: string) => boolean, onChange: () => void): void {
    this.#onChange = onChange;
  }

  watching(): InboxWatch {
    return 'events';
  }

  close(): Promise<void> {
    this.#onChange = () => undefined;
    return Promise.resolve();
  }

  #require(file: InboxFile): Entry {
    const entry = this.#entries.get(file.id);
    if (!entry || revisionOf(entry) !== file.revision || entry.kind !== 'file')
      throw new InboxFileChangedError();
    if (entry.isUnreadable) throw new InboxFileUnreadableError();
    return entry;
  }
}

const revisionOf = ({ bytes, changes }: Entry): string => `${bytes.length}-${changes}`;

const numbered = (id: string, nth: number): string => id.replace(/(\.[^./]*)?$/, ` (${nth})$1`);

const fileOf = (folder: string, id: string, entry: Entry): InboxFile => ({
  folder,
  id,
  path: id.slice(folder.length + 1),
  kind: entry.kind,
  size: entry.bytes.length,
  revision: revisionOf(entry),
});

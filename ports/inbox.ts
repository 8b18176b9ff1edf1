/** What is at a path: a regular file, a symbolic link, or anything else, such as a pipe or a device. */
export type InboxEntryKind = 'file' | 'link' | 'other';

/** A file that waits in the folder of an owner. */
export interface InboxFile {
  /** Name of the owner's folder. */
  readonly folder: string;
  /** Identifies the path in the inbox. It may hold bytes that are no text. */
  readonly id: string;
  /** The path below the owner's folder, separated by `/`; null if it is not valid UTF-8. */
  readonly path: string | null;
  readonly kind: InboxEntryKind;
  readonly size: number;
  /** Differs after every change of the file. */
  readonly revision: string;
}

export interface InboxFolders {
  readonly names: readonly string[];
  /** Entries beside the folders, such as files and symbolic links. They belong to no owner. */
  readonly others: number;
}

/** Which files `files` returns. */
export interface InboxQuery {
  readonly limit: number;
  /** Files and folders with such a name are left alone. */
  isIgnored(name: string): boolean;
  /** Files with such an id are left out, and do not count. */
  isSkipped(id: string): boolean;
}

/** The file is no longer at its path, or it is another one, or it has changed. */
export class InboxFileChangedError extends Error {
  override readonly name = 'InboxFileChangedError';
  constructor() {
    super('The file has changed or disappeared.');
  }
}

/** The file may not be read. */
export class InboxFileUnreadableError extends Error {
  override readonly name = 'InboxFileUnreadableError';
  constructor() {
    super('The service has no permission to read the file.');
  }
}

/** The result of a file: where it is moved to, with the reason of a refusal. */
export type InboxResult =
  { readonly outcome: 'taken' } | { readonly outcome: 'refused'; readonly reason: string };

/** How changes are noticed. `unavailable`: the folder can not be watched, so that it has to be polled. */
export type InboxWatch = 'events' | 'polling' | 'unavailable';

/**
 * A folder on this machine with one folder per owner, into which other programs put files.
 *
 * Contract (contract-tests/suites/inbox.ts):
 * - `folders` returns the names of the folders, and the number of the entries beside them.
 * - `files` returns what is in an owner's folder and its subfolders, at most `limit`, without ignored and skipped files.
 * - A symbolic link is returned as such, and never followed.
 * - `read` returns the bytes of a file.
 * - `read` rejects with InboxFileChangedError if the file is not the one that was returned, before or while it is read.
 * - `move` moves a file out of the way, below `.taken` or `.refused` in the owner's folder, with its subfolders.
 * - A refused file has its reason beside it.
 * - A file that was moved never replaces another one.
 * - `move` rejects with InboxFileChangedError if the file is not the one that was returned, and leaves it where it is.
 * - `move` rejects with UnavailableError if the file can not be moved, and leaves it where it is.
 * - No error names a file or a folder.
 */
export interface Inbox {
  folders(): Promise<InboxFolders>;
  files(folder: string, query: InboxQuery): Promise<readonly InboxFile[]>;
  /** Whether the file is still the one that was returned. */
  isCurrent(file: InboxFile): Promise<boolean>;
  /** Rejects with InboxFileUnreadableError without permission. */
  read(file: InboxFile): AsyncIterable<Uint8Array>;
  /** Durable when it resolves. */
  move(file: InboxFile, result: InboxResult): Promise<void>;
  /** Calls back after changes, from now on. How they are noticed may change later. */
  watch(isIgnored: (name: string) => boolean, onChange: () => void): void;
  watching(): InboxWatch;
  close(): Promise<void>;
}

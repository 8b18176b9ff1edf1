import { MAX_ITEMS, type AddedFile } from './queue.ts';

/** As the service limits them. */
const MAX_LEVELS = 32;

/** What was dropped or chosen. */
export interface Dropped {
  readonly files: readonly AddedFile[];
  /** Some of them are in folders. */
  readonly hasFolders: boolean;
}

/** Reads the files of a drop or a paste. What can not be read is among them and says so. Entries have to be taken from it before the event has ended. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped> {
  const entries = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files: AddedFile[] = [];
  for (const { entry, file } of entries)
    if (entry?.isDirectory) await walk(entry as FileSystemDirectoryEntry, entry.name, 1, files);
    else if (file) files.push({ file });
  return { files, hasFolders: entries.some(({ entry }) => entry?.isDirectory) };
}

async function walk(
  folder: FileSystemDirectoryEntry,
  path: string,
  level: number,
  files: AddedFile[],
): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    const entries = await entriesOf(reader);
    if (!entries) files.push(unreadable(folder.name));
    if (!entries?.length) return;
    for (const entry of entries) {
      // One more than fit, so that the queue says that some were left over.
      if (files.length > MAX_ITEMS) return;
      const below = `${path}/${entry.name}`;
      if (!entry.isDirectory) files.push(await fileOf(entry as FileSystemFileEntry, below));
      else if (level < MAX_LEVELS)
        await walk(entry as FileSystemDirectoryEntry, below, level + 1, files);
      else files.push(unreadable(entry.name));
    }
  }
}

/** A file or folder that the browser may not open, or that is gone. */
const unreadable = (name: string): AddedFile => ({ file: new File([], name), isUnreadable: true });

/** Some of the entries of a folder; undefined if it can not be read. */
const entriesOf = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[] | undefined> =>
  new Promise((resolve) => {
    reader.readEntries(resolve, () => resolve(undefined));
  });

const fileOf = (entry: FileSystemFileEntry, relativePath: string): Promise<AddedFile> =>
  new Promise((resolve) => {
    entry.file(
      (file) => resolve({ file, relativePath }),
      () => resolve(unreadable(entry.name)),
    );
  });

/** The files of an input. One for folders names the path of each. */
export function chosenFiles(input: HTMLInputElement): Dropped {
  const files = [...(input.files ?? [])].map((file): AddedFile =>
    file.webkitRelativePath ? { file, relativePath: file.webkitRelativePath } : { file },
  );
  return { files, hasFolders: files.some(({ relativePath }) => relativePath !== undefined) };
}

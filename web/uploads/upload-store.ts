import type { UploadItem } from './items.ts';

/** Larger files are not copied into the browser's store: after a reload they have to be chosen again. */
export const MAX_STORED_BYTES = 200_000_000;

const DATABASE = 'uploads-';
const VERSION = 2;
const ITEMS = 'items';
/** The bytes, by the id of their item: they are written once, however often the item changes. */
const FILES = 'files';

const FIELDS = [
  'id',
  'name',
  'size',
  'type',
  'folder',
  'relativePath',
  'keepsDuplicate',
  'hash',
  'url',
  'begunAt',
] as const satisfies readonly (keyof UploadItem)[];

/** What a reload has to know of an item. */
interface StoredFields extends Pick<UploadItem, (typeof FIELDS)[number]> {
  readonly isPaused: boolean;
}

export interface StoredItem extends StoredFields {
  readonly file: File | undefined;
}

const toStored = (item: UploadItem): StoredFields => ({
  ...(Object.fromEntries(FIELDS.map((field) => [field, item[field]])) as Pick<
    UploadItem,
    (typeof FIELDS)[number]
  >),
  isPaused: item.state === 'paused',
});

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser store failed.'));
  });

async function open(owner: string): Promise<IDBDatabase> {
  const request = indexedDB.open(`${DATABASE}${owner}`, VERSION);
  request.onupgradeneeded = () => {
    const { result: database } = request;
    for (const name of database.objectStoreNames) database.deleteObjectStore(name);
    database.createObjectStore(ITEMS, { keyPath: 'id' });
    database.createObjectStore(FILES);
  };
  return settled(request);
}

async function inStore<T>(
  owner: string,
  mode: IDBTransactionMode,
  work: (items: IDBObjectStore, files: IDBObjectStore) => T,
): Promise<T> {
  const database = await open(owner);
  // Signing out in another tab deletes the database.
  database.onversionchange = () => database.close();
  try {
    const transaction = database.transaction([ITEMS, FILES], mode);
    const result = work(transaction.objectStore(ITEMS), transaction.objectStore(FILES));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () =>
        reject(transaction.error ?? new Error('The browser store is full.'));
    });
    return result;
  } finally {
    database.close();
  }
}

/** Stores items as they are when the store is open: an earlier call never overwrites a later state. */
export async function storeItems(
  owner: string,
  current: () => readonly UploadItem[],
): Promise<void> {
  await inStore(owner, 'readwrite', (items) => {
    for (const item of current()) items.put(toStored(item));
  });
}

/** Stores the bytes of those that are small enough, likewise. Rejects if the browser has no room for them. */
export async function storeFiles(
  owner: string,
  current: () => readonly UploadItem[],
): Promise<void> {
  await inStore(owner, 'readwrite', (_items, files) => {
    for (const { id, size, file } of current())
      if (file && size <= MAX_STORED_BYTES) files.put(file, id);
  });
}

export async function forgetItems(owner: string, ids: readonly string[]): Promise<void> {
  await inStore(owner, 'readwrite', (items, files) => {
    for (const id of ids) {
      items.delete(id);
      files.delete(id);
    }
  });
}

export async function storedItems(owner: string): Promise<readonly StoredItem[]> {
  const [items, ids, files] = await inStore(owner, 'readonly', (itemStore, fileStore) => [
    itemStore.getAll() as IDBRequest<StoredFields[]>,
    fileStore.getAllKeys() as IDBRequest<string[]>,
    fileStore.getAll() as IDBRequest<File[]>,
  ]);
  const byId = new Map(ids.result.map((id, nth) => [id, files.result[nth]]));
  return items.result.map((item) => ({ ...item, file: byId.get(item.id) }));
}

/** Deletes everything that was stored for the owner. */
export async function clearStore(owner: string): Promise<void> {
  await settled(indexedDB.deleteDatabase(`${DATABASE}${owner}`));
}

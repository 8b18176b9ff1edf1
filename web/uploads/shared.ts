/** What another app has shared with the installed app. */
export interface Shared {
  readonly files: readonly File[];
  readonly text: string;
  /** Id of the owner whom it is bound to. Without one it belongs to the owner who was signed in last. */
  readonly owner?: string;
}

/** Written by the service worker (`web/service-worker/shared-store.ts`). */
const DATABASE = 'shared';
const STORE = 'shares';

/** What was shared for the owner, oldest first, by its key. */
export async function readShared(owner: string): Promise<ReadonlyMap<number, Shared>> {
  const [keys, all] = await inStore('readonly', (store) => [
    store.getAllKeys() as IDBRequest<number[]>,
    store.getAll() as IDBRequest<Shared[]>,
  ]);
  const byKey = all.result.map((shared, nth) => [keys.result[nth] ?? 0, shared] as const);
  return new Map(byKey.filter(([, shared]) => (shared.owner ?? owner) === owner));
}

/** Another owner signs in: what was shared until now belongs to the one before. */
export async function bindShared(owner: string): Promise<void> {
  await inStore('readwrite', (store) => {
    store.openCursor().onsuccess = ({ target }) => {
      const { result: cursor } = target as IDBRequest<IDBCursorWithValue | null>;
      if (!cursor) return;
      cursor.update({ owner, ...(cursor.value as Shared) });
      cursor.continue();
    };
  });
}

/** What was shared is in the queue now. */
export const forgetShared = (keys: readonly number[]): Promise<void> =>
  inStore('readwrite', (store) => {
    for (const key of keys) store.delete(key);
  });

function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    const fail = () => reject(new Error('What was shared could not be read.'));
    opening.onupgradeneeded = () =>
      void opening.result.createObjectStore(STORE, { autoIncrement: true });
    opening.onerror = fail;
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const result = work(transaction.objectStore(STORE));
      transaction.onabort = fail;
      transaction.oncomplete = () => {
        database.close();
        resolve(result);
      };
    };
  });
}

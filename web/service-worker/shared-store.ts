/** What another app has shared. */
interface Shared {
  readonly files: readonly File[];
  readonly text: string;
}

/** Also named in `web/uploads/shared.ts`, which reads it. */
const DATABASE = 'shared';
const STORE = 'shares';

export function storeShared(shared: Shared): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    const fail = () => reject(new Error('What was shared could not be stored.'));
    opening.onupgradeneeded = () =>
      void opening.result.createObjectStore(STORE, { autoIncrement: true });
    opening.onerror = fail;
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, 'readwrite');
      transaction.objectStore(STORE).add(shared);
      transaction.onabort = fail;
      transaction.oncomplete = () => {
        database.close();
        resolve();
      };
    };
  });
}

/** Serializes work by key; different keys do not wait for each other. */
export type KeyedMutex = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Keyed mutex of one process. A key uses memory only while work holds it. */
export function createKeyedMutex(): KeyedMutex {
  const latest = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = latest.get(name);
    const mine = before ? before.then(work, work) : work();
    latest.set(name, mine);
    try {
      return await mine;
    } finally {
      if (latest.get(name) === mine) latest.delete(name);
    }
  };
}

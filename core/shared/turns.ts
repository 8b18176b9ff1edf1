/** Runs work under one name one after the other; different names do not wait for each other. */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Turns of one process. A name takes room only while somebody works under it. */
export function takingTurns(): Turns {
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

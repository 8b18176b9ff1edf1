const held = new Map<string, () => void>();

/**
 * Claims an item for this tab, so that another tab of the same owner does not send it as well. The browser releases the
 * claims of a closed tab. Where the address is not secure the browser has no locks, and the claim always succeeds.
 */
export function claim(id: string): Promise<boolean> {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (!locks) return Promise.resolve(true);
  return new Promise((resolve, reject) => {
    locks
      .request(`upload-${id}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        if (lock) return new Promise<void>((release) => held.set(id, release));
        return undefined;
      })
      .catch(reject);
  });
}

export function release(id: string): void {
  held.get(id)?.();
  held.delete(id);
}

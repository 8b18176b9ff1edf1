const KEY = 'owner';

/**
 * The id of the owner who was signed in last in this browser. The service worker can not ask who is signed in: what it stores
 * belongs to this owner. Undefined after a sign-out, and where the browser stores nothing.
 */
export function lastOwner(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function setLastOwner(id: string | undefined): void {
  try {
    if (id === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, id);
  } catch {
    // A browser without this store has no store of shared files either.
  }
}

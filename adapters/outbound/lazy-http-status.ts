import type { fetchStatus } from './http-status.ts';

/** The same as `fetchStatus`, but loads its client with the first request. */
export const lazyFetchStatus: typeof fetchStatus = async (...how) =>
  (await import('./http-status.ts')).fetchStatus(...how);

import type { askedStatus } from './asked-status.ts';

/** The same as `fetchStatus`, but loads its client with the first request. */
export const statusOf: typeof askedStatus = async (...how) =>
  (await import('./asked-status.ts')).askedStatus(...how);

import type { askedStatus } from './asked-status.ts';

/** The same as `askedStatus`, whose client is loaded with the first question. */
export const statusOf: typeof askedStatus = async (...how) =>
  (await import('./asked-status.ts')).askedStatus(...how);

/** The same as `askedStatus`, whose client is loaded with the first question. */
export const statusOf: typeof import('./asked-status.ts').askedStatus = async (...how) =>
  (await import('./asked-status.ts')).askedStatus(...how);

export { trackSelftestFetches } from './selftest-fetches.ts';
export { handleCallback } from './callback.ts';
export { DEVICES, OFF_REASONS, officeConfig, PERMISSIONS, type OfficeAnswer } from './config.ts';
export { openCapability, type UrlCapability } from './capability-urls.ts';
export type { Office } from './office.ts';
export { readForEngine } from './read.ts';
export { officeSelftest, type Selftest } from './selftest.ts';

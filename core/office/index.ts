export { watchingArrivals } from './arrivals.ts';
export { takeCallback } from './callback.ts';
export { DEVICES, OFF_REASONS, officeConfig, PERMISSIONS, type OfficeAnswer } from './config.ts';
export { passOf, type Pass } from './passes.ts';
export type { Office } from './office.ts';
export { readForEngine } from './read.ts';
export { officeSelftest, type Selftest } from './selftest.ts';

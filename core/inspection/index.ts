export { blobsInPlace } from './blobs-in-place.ts';
export { inspectWorkspace, isDamage, type InspectDeps, type InspectOptions } from './inspect.ts';

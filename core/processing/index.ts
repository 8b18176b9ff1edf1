export { LANE_CONCURRENCY, keepClaim, offerDueTasks, runTask, taskKinds } from './background.ts';
export { reprocessObject } from './reprocess.ts';
export { sweepBlobs } from './sweep-blobs.ts';
export { textPlaces, type TextPlaces } from './text-places.ts';
export { correctText, dropCorrection, getText, type CurrentText } from './texts.ts';

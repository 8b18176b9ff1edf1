export { bucketAt, openBucket } from './bucket.ts';
export { ownerBlobs, removeCopy, storeIn, type OwnerBlobsDeps } from './owner-blobs.ts';
export { moveFiles, type MoveFilesDeps } from './move-task.ts';
export {
  MOVE_TASK,
  PROGRESS_STATUSES,
  cancelMove,
  moveProgress,
  startMove,
  type MoveProgress,
} from './moves.ts';
export { retrieveFiles, type RetrieveDeps } from './retrieve.ts';
export { recounting } from './recount.ts';
export { sweepCopies } from './sweep-copies.ts';

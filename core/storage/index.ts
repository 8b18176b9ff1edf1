export { bucketAt, openBucket } from './bucket.ts';
export { ownerBlobs, removeCopy, storeIn, type OwnerBlobsDeps } from './owner-blobs.ts';
export { migrateFiles, type MigrateFilesDeps } from './migration-task.ts';
export {
  MIGRATION_TASK,
  PROGRESS_STATUSES,
  cancelMigration,
  migrationProgress,
  startMigration,
  type MigrationProgress,
} from './migrations.ts';
export { retrieveFiles, type RetrieveDeps } from './retrieve.ts';
export { createCountCache } from './count-cache.ts';
export { forgetsCounts } from './count-state.ts';
export { sweepCopies } from './sweep-copies.ts';

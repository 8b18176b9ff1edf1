export { beginBackup, type Backup, type BackupDeps, type BackupOptions } from './backup.ts';
export { BackupError } from './errors.ts';
export { KEEP_HOLD_MS } from './hold.ts';
export type { OnProgress, Progress } from './progress.ts';
export {
  requireEmptyPlace,
  restoreBackup,
  type RestoreDeps,
  type RestoreOptions,
  type RestoredAccess,
} from './restore.ts';
export { openBackup, summaryOf, verifyBackup, type OpenedBackup } from './verify.ts';

export { beginBackup, type Backup, type BackupDeps, type BackupOptions } from './backup.ts';
export { BackupError } from './errors.ts';
export { HOLD_RENEWAL_MS } from './hold.ts';
export type { OnProgress, Progress } from './progress.ts';
export {
  requireEmptyTarget,
  restoreBackup,
  type RestoreDeps,
  type RestoreOptions,
  type RestoredAccess,
} from './restore.ts';
export { openBackup, summaryOf, verifyBackup, type OpenedBackup } from './verify.ts';

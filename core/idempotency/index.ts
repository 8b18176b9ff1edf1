export {
  RETENTION_MS,
  releaseKey,
  renewKey,
  saveResponse,
  keyedFingerprint,
  openKey,
  sealResponse,
  sweepExpiredKeys,
  type IdempotencyDeps,
} from './records.ts';

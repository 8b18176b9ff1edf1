export {
  releaseKey,
  renewKey,
  saveResponse,
  keyedFingerprint,
  openKey,
  sealResponse,
  sweepExpiredKeys,
  type IdempotencyDeps,
} from './records.ts';

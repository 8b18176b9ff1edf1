export { addressOf, retiredLocation, checkBucket, type BucketConfig } from './bucket.ts';
export {
  INTEGRATION_STATUSES,
  getIntegration,
  listIntegrations,
  type IntegrationCard,
} from './cards.ts';
export {
  checkIntegration,
  connectBucket,
  connectModel,
  disconnect,
  recordOutcome,
  rejectKind,
  toggleIntegration,
} from './connect.ts';
export { SEALED_WITH_OTHER_KEY } from './connection.ts';
export { endpointOf } from './model.ts';
export { RETIRED_TASK } from './retire.ts';
export { rotateSecrets } from './rotate.ts';
export { sealStoredHashes } from './seal-hashes.ts';
export { NOTE_CODES } from './notes.ts';

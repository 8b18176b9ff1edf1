export { addressOf, retiredPlace, tryBucket, type BucketConfig } from './bucket.ts';
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
  refuseKind,
  toggleIntegration,
} from './connect.ts';
export { SEALED_OTHERWISE } from './connection.ts';
export { endpointOf } from './model.ts';
export { RETIRED_TASK } from './retire.ts';
export { rotateSecrets } from './rotate.ts';

export {
  INTEGRATION_STATUSES,
  getIntegration,
  listIntegrations,
  type IntegrationCard,
} from './cards.ts';
export {
  checkIntegration,
  connectModel,
  connectOther,
  disconnect,
  recordOutcome,
  toggleIntegration,
} from './connect.ts';
export { endpointOf, SEALED_OTHERWISE } from './model.ts';
export { rotateSecrets } from './rotate.ts';

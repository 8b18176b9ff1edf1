export {
  FAILED_SIGN_INS_PER_ALERT,
  alertCopiedPasskey,
  alertNewClient,
  recordFailedSignIn,
  recordZoneLockout,
  type AlertStores,
} from './alerts.ts';
export { createChainVerifier, digestOf, type ChainFault } from './chain.ts';
export { SECURITY_EVENT_MS, listSecurityEvents, type ListedSecurityEvent } from './list.ts';
export {
  OPERATOR,
  SYSTEM,
  nextSecurityEvent,
  recordSecurityEvent,
  sourceOf,
  visitorSource,
  type SecurityEventDeps,
  type SecurityEventInput,
  type SecuritySource,
} from './record.ts';
export { shareEvent } from './share-event.ts';

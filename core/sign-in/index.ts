export {
  appUrl,
  beginOidcLink,
  beginOidcSignIn,
  finishOidc,
  oidcLink,
  unlinkOidc,
  type OidcOutcome,
} from './oidc.ts';
export { OIDC_FLOW_MS, type OidcStart } from './oidc-flow.ts';
export { createSignInLink, signInByLink } from './link.ts';
export { signInMethods } from './methods.ts';
export { endOtherSessions, endSession, listSessions, signOut } from './sessions.ts';
export { SESSION_MS, startSession, type SignedIn } from './start-session.ts';
export { requireOtherMethod, type RemovedMethod } from './last-method.ts';
export { sweepExpiredAccess } from './sweep.ts';
export {
  createFailedSignIns,
  recordFailedSignIns,
  recordFailedSignInsOf,
} from './failed-sign-ins.ts';
export { removePassword, setPassword } from './password.ts';
export {
  MAX_PASSWORD_LENGTH,
  MAX_SENT_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from './password-rules.ts';
export { createDecoyHash, signInByPassword } from './password-sign-in.ts';
export { beginPasskeySignIn, signInWithPasskey } from './passkey-sign-in.ts';
export {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys.ts';

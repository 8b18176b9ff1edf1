export {
  BUILT_IN_ROLES,
  DEFAULT_ROLE,
  OperatorError,
  createOwner,
  createTenant,
  issueTokenFor,
  listOwners,
  revokeTokenByPrefix,
} from './accounts.ts';
export {
  SESSION_IDLE_MS,
  authenticate,
  isSessionValid,
  isTokenValid,
  mayStoreHistory,
  limitsOf,
  requireCredential,
  scopesOf,
  type Credentials,
} from './authenticate.ts';
export {
  authorize,
  isAllowed,
  requireRecentSignIn,
  type RequiredScope,
  type Rights,
  type Requirements,
} from './authorize.ts';
export {
  credentialIdOf,
  findCredential,
  requireStoredCredential,
  type CredentialId,
} from './credential.ts';
export { createLastUse, flushLastUse, type LastUse, type LastUseDeps } from './last-use.ts';
export { notAuthenticated, planLimit, rateLimited } from './errors.ts';
export {
  THUMBNAILS_PER_MINUTE,
  FAILED_AUTH_PER_MINUTE,
  SIGN_INS_PER_MINUTE,
  VISITOR_REQUESTS_PER_MINUTE,
  ENGINE_PER_MINUTE,
  countRequest,
  type RateLimitState,
} from './rate-limit.ts';
export { tokenCreated } from './token-events.ts';
export {
  DEFAULT_TOKEN_DAYS,
  createToken,
  listTokens,
  makeToken,
  revokeToken,
  type IssuedToken,
  type NewToken,
} from './tokens.ts';

export {
  BUILT_IN_ROLES,
  OperatorError,
  createOwner,
  createTenant,
  issueTokenFor,
  listOwners,
  revokeTokenByPrefix,
} from './accounts.ts';
export { authenticate, limitsOf, requireToken } from './authenticate.ts';
export { notAuthenticated, planLimit, rateLimited } from './errors.ts';
export {
  THUMBNAILS_PER_MINUTE,
  FAILED_AUTH_PER_MINUTE,
  VISITOR_REQUESTS_PER_MINUTE,
  ENGINE_PER_MINUTE,
  countRequest,
  type RateLimitState,
} from './rate-limit.ts';
export { createToken, listTokens, makeToken, revokeToken, type IssuedToken } from './tokens.ts';

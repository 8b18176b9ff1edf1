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
  PICTURES_PER_MINUTE,
  REFUSALS_PER_MINUTE,
  VISITS_PER_MINUTE,
  ENGINE_PER_MINUTE,
  countRequest,
  type Allowance,
} from './rate-limit.ts';
export { createToken, listTokens, makeToken, revokeToken, type IssuedToken } from './tokens.ts';

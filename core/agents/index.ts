export { builtInRole } from './built-in.ts';
export { activateAgent, deactivateAgent, getAgent, listAgents, type AgentCard } from './cards.ts';
export {
  createAgent,
  deleteAgent,
  editAgent,
  requireRoleCapacity,
  type AgentEdit,
} from './custom.ts';
export { tooManyRoles } from './errors.ts';
export { MOST, MAX_ROLES, RESERVED_SLUGS, SLUG_PATTERN, type AgentRole } from './role.ts';
export { findRole, roleFor } from './roles.ts';

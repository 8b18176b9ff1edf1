import type { CustomAgentRole } from '../../ports/agent-roles.ts';

/** Who the agent is. A built-in role is the same for every owner, and nobody changes it. */
export interface AgentRole extends CustomAgentRole {
  readonly kind: 'builtin' | 'custom';
}

/** Roles that an owner has made. */
export const MOST_ROLES = 200;

/** The source of a regular expression. */
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{0,62}$';

/** Code points, and for toolsets how many there are. */
export const MOST = { name: 80, description: 500, icon: 64, persona: 8_000, toolsets: 4 } as const;

/** Slugs that would be read as something else in an address. */
export const RESERVED_SLUGS: readonly string[] = ['custom', 'deactivate'];

import type { CustomAgentRole } from '../../ports/agent-roles.ts';

/** The role of the agent. A built-in role is the same for every owner and cannot be changed. */
export interface AgentRole extends CustomAgentRole {
  readonly kind: 'builtin' | 'custom';
}

/** Maximum number of custom roles per owner. */
export const MAX_ROLES = 200;

/** The source of a regular expression. */
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{0,62}$';

/** Lengths in code points; for toolsets their number. */
export const MOST = { name: 80, description: 500, icon: 64, persona: 8_000, toolsets: 4 } as const;

/** Slugs that would be ambiguous in a URL. */
export const RESERVED_SLUGS: readonly string[] = ['custom', 'deactivate'];

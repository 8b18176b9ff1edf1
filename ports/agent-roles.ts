import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './time-and-ids.ts';

/** Groups of tools that a role may let the agent use. */
export const TOOLSETS = ['objects', 'notes', 'calendar', 'organize'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Roles that every owner has and nobody changes. They are kept nowhere, but one of them may be the active one. */
export const BUILT_IN_SLUGS = ['assistant', 'librarian', 'planner'] as const;
export type BuiltInSlug = (typeof BUILT_IN_SLUGS)[number];

/** Who the agent is for an owner who has made it so. */
export interface CustomAgentRole {
  readonly id: string;
  /** What it is called by in addresses: chosen once, one role of an owner each. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly icon: string;
  /** What the model is told of itself. */
  readonly persona: string;
  readonly toolsets: readonly Toolset[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * The roles that one owner has made for the agent, and which of all roles is the active one.
 *
 * Contract (contract-tests/suites/agent-role-store.ts):
 * - What was added is found by its slug and by its id, field for field.
 * - A slug or an id that another role has is refused by `add` with the answer `false`, and nothing is stored.
 * - Of two units of work that add the same slug at the same time one is answered `true` and the other `false`.
 * - `replace` changes the role of that slug, and answers `false` where there is none.
 * - `remove` answers whether there was one, and takes that role alone.
 * - `page` lists by time of creation, then by id, the oldest first, and tells the full total.
 * - No role is active until one is made so; another takes its place, and null leaves none.
 * - Another owner's roles, and which of them is active, are out of reach.
 */
export interface AgentRoleStore {
  find(slug: string): Promise<CustomAgentRole | undefined>;
  withId(id: string): Promise<CustomAgentRole | undefined>;
  page(request: PageRequest): Promise<Page<CustomAgentRole>>;
  add(role: CustomAgentRole): Promise<boolean>;
  replace(role: CustomAgentRole): Promise<boolean>;
  remove(slug: string): Promise<boolean>;
  /** The slug of the active role, a built-in one or one of the owner's. */
  active(): Promise<string | null>;
  activate(slug: string | null): Promise<void>;
}

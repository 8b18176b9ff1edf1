import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './runtime.ts';

/** Groups of tools that a role may let the agent use. */
export const TOOLSETS = ['objects', 'notes', 'calendar', 'organize'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Roles that every owner has and cannot change. They are not stored, but one of them may be the active role. */
export const BUILT_IN_SLUGS = ['assistant', 'librarian', 'planner'] as const;
export type BuiltInSlug = (typeof BUILT_IN_SLUGS)[number];

/** The role of the agent, as chosen by an owner. */
export interface CustomAgentRole {
  readonly id: string;
  /** Its name in URLs: chosen at creation and unique among the owner's roles. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly icon: string;
  /** The description of itself that the model gets in the system prompt. */
  readonly persona: string;
  readonly toolsets: readonly Toolset[];
  /** Whether it came with an import, and the owner has not saved it here since. */
  readonly isImported: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * The agent roles created by one owner, and which role is active.
 *
 * Contract (contract-tests/suites/agent-role-store.ts):
 * - An added role is found by its slug and by its id, field for field.
 * - `add` returns `false` and stores nothing if another role has the slug or the id.
 * - Of two concurrent units of work that add the same slug, one gets `true` and the other `false`.
 * - `replace` changes the role with that slug, and returns `false` if there is none.
 * - `remove` removes that role only, and returns whether it existed.
 * - `page` lists by creation time, then by id, oldest first, and returns the full total.
 * - Initially no role is active. Activating a role replaces the active one, and null clears it.
 * - Another owner's roles and active role are out of reach.
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

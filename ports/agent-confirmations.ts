import type { Instant } from './runtime.ts';

/** A tool call that waits for the owner's decision, with the run of the agent that it interrupted. */
export interface AgentConfirmation {
  readonly id: string;
  readonly sessionId: string;
  /** The suspended run, sealed: it holds text of documents. */
  readonly run: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/**
 * The pending confirmations of one owner.
 *
 * Contract (contract-tests/suites/agent-confirmation-store.ts):
 * - `find` returns what was added, field for field.
 * - `ofSession` returns the confirmations of a session, in no promised order.
 * - `remove` returns `true` for a stored confirmation and `false` afterwards.
 * - Of two concurrent units of work that remove the same confirmation, one gets `true` and the other `false`.
 * - `removeExpired` removes the confirmations that expire at the moment or before, and no others.
 * - `retain` removes all but the newest, by creation time and then by id.
 * - Another owner's confirmations are out of reach.
 */
export interface AgentConfirmationStore {
  find(id: string): Promise<AgentConfirmation | undefined>;
  ofSession(sessionId: string): Promise<readonly AgentConfirmation[]>;
  add(confirmation: AgentConfirmation): Promise<void>;
  remove(id: string): Promise<boolean>;
  removeExpired(now: Instant): Promise<void>;
  retain(newest: number): Promise<void>;
}

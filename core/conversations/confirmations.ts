import type { AgentConfirmation } from '../../ports/agent-confirmations.ts';
import type { ChatMessage } from '../../ports/conversations.ts';
import type { Clock, Instant } from '../../ports/runtime.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { canSee, type Zone } from '../hidden-zone/index.ts';
import { isSuspended } from './steps.ts';
import { NO_SUBJECT, type Subject } from './subject.ts';

/** A change of the agent that waits for the owner's decision, as it is shown. */
export interface ConfirmRequest {
  readonly id: string;
  readonly tool: string;
  /** Complete, as they would be run. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly why: string;
  readonly subject: Subject;
  readonly expiresAt: Instant;
}

export type ShownMessage = ChatMessage & { readonly confirm?: ConfirmRequest };

/** What a stored run says about its confirmation. */
export interface StoredRun {
  readonly pending: Omit<ConfirmRequest, 'id' | 'expiresAt' | 'subject'> &
    Partial<Pick<ConfirmRequest, 'subject'>>;
  /** The hidden zone as it was at the start of the run. */
  readonly zone: Zone;
  /** Every object the run knows of. */
  readonly objectIds: readonly string[];
  /** The reply that waits. Absent in runs of before it was stored. */
  readonly messageId?: string;
}

export interface ConfirmationDeps {
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/**
 * The run of a confirmation, if this caller may decide on it now. A run that has read objects now concealed by the
 * hidden zone counts as missing.
 */
export async function openRun<Run extends StoredRun>(
  deps: ConfirmationDeps,
  { objects }: Pick<Stores, 'objects'>,
  zone: Zone,
  confirmation: AgentConfirmation | undefined,
): Promise<Run | undefined> {
  if (!confirmation || confirmation.expiresAt <= deps.clock.now()) return undefined;
  const text = deps.sealer.open(confirmation.run);
  if (text === undefined) return undefined;
  const run = JSON.parse(text) as Run;
  if (zone !== 'closed') return run;
  if (run.zone !== 'closed') return undefined;
  const known = await objects.findMany(run.objectIds);
  const visible = known.filter((object) => canSee(object, zone));
  return visible.length === new Set(run.objectIds).size ? run : undefined;
}

/** Messages of a visible session, as this caller sees them, with what each of them waits for. */
export async function withConfirmations(
  deps: ConfirmationDeps,
  stores: Pick<Stores, 'agentConfirmations' | 'objects'>,
  zone: Zone,
  sessionId: string,
  messages: readonly ChatMessage[],
): Promise<readonly ShownMessage[]> {
  if (!messages.some(isSuspended)) return messages;
  const waiting = new Map<string, ConfirmRequest>();
  for (const confirmation of await stores.agentConfirmations.ofSession(sessionId)) {
    const run = await openRun<StoredRun>(deps, stores, zone, confirmation);
    if (run?.messageId !== undefined)
      waiting.set(run.messageId, confirmRequestOf(confirmation, run));
  }
  return messages.map((message) => {
    // A step that the hidden zone conceals takes its confirmation with it.
    const confirm = isSuspended(message) ? waiting.get(message.id) : undefined;
    return confirm ? { ...message, confirm } : message;
  });
}

export const confirmRequestOf = (
  { id, expiresAt }: Pick<AgentConfirmation, 'id' | 'expiresAt'>,
  { pending }: Pick<StoredRun, 'pending'>,
): ConfirmRequest => ({
  id,
  tool: pending.tool,
  arguments: pending.arguments,
  why: pending.why,
  subject: pending.subject ?? NO_SUBJECT,
  expiresAt,
});

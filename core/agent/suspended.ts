import type { AgentConfirmation } from '../../ports/agent-confirmations.ts';
import type { ChatMessage } from '../../ports/conversations.ts';
import type { ModelMessage } from '../../ports/language-model.ts';
import type { RandomSource } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { PromptPassage } from '../answers/index.ts';
import {
  confirmRequestOf,
  type ConfirmationDeps,
  type ConfirmRequest,
  type StoredRun,
} from '../conversations/index.ts';
import type { Trust } from './tool-runner.ts';
import type { Progress, Suspension, Task } from './run.ts';
import type { AgentStep } from './context-window.ts';

export interface SuspendedDeps extends ConfirmationDeps {
  readonly random: RandomSource;
}

/** Lifetime of a confirmation. */
export const CONFIRM_MS = 5 * 60_000;
/** Limit for one owner; the oldest are discarded. */
export const MAX_CONFIRMATIONS = 20;
/** Limit of a stored run, in UTF-16 code units before it is sealed. */
const MAX_RUN_LENGTH = 500_000;

/** A run as it is stored until the owner decides, as plain JSON. */
export interface SuspendedRun extends Suspension, StoredRun {
  readonly pending: Suspension['pending'];
  /** A slug. */
  readonly role: string;
  readonly history: readonly ModelMessage[];
  readonly message: string;
  readonly data: string;
  readonly passages: readonly PromptPassage[];
  readonly messages: Trust['messages'];
  readonly earlierCalls: Trust['earlierCalls'];
}

/** Stores a suspended run in the unit of work that stores its reply, the message that waits. */
export async function suspend(
  deps: SuspendedDeps,
  { agentConfirmations }: Pick<Stores, 'agentConfirmations'>,
  task: Task,
  progress: Progress,
  suspension: Suspension,
  { id: messageId }: Pick<ChatMessage, 'id'>,
): Promise<ConfirmRequest> {
  const now = deps.clock.now();
  const run = runOf(task, progress, suspension, messageId);
  const confirmation: AgentConfirmation = {
    id: deps.random.uuid(),
    sessionId: task.sessionId,
    run: deps.sealer.seal(storable(run)),
    createdAt: now,
    expiresAt: now + CONFIRM_MS,
  };
  await agentConfirmations.removeExpired(now);
  await agentConfirmations.add(confirmation);
  await agentConfirmations.retain(MAX_CONFIRMATIONS);
  return confirmRequestOf(confirmation, run);
}

function runOf(
  task: Task,
  progress: Progress,
  suspension: Suspension,
  messageId: string,
): SuspendedRun {
  const { talk, work, role, attached, trust } = task;
  const { passages } = work.offering;
  const objectIds = new Set([
    ...attached,
    ...progress.steps.flatMap((step) => step.objectIds),
    ...passages.map(({ passage }) => passage.objectId),
  ]);
  return {
    ...suspension,
    messageId,
    role: role.slug,
    zone: work.zone,
    history: talk.history,
    message: talk.message,
    data: talk.data,
    passages,
    objectIds: [...objectIds],
    messages: trust.messages,
    earlierCalls: trust.earlierCalls,
  };
}

/** A run that is too long to store loses the earlier conversation first, then its earlier rounds. */
function storable(run: SuspendedRun): string {
  const complete = JSON.stringify(run);
  if (complete.length <= MAX_RUN_LENGTH) return complete;
  const alone = JSON.stringify({ ...run, history: [] });
  if (alone.length <= MAX_RUN_LENGTH) return alone;
  return JSON.stringify({
    ...run,
    history: [],
    data: '',
    passages: [],
    // Then only the message of this run orders a change.
    messages: run.messages.slice(0, 1),
    earlierCalls: [],
    rounds: run.rounds.slice(-1).map((round) => pendingOnly(round, run.place)),
    place: 0,
  });
}

const pendingOnly = ({ calls }: AgentStep, place: number): AgentStep => ({
  text: '',
  calls: calls.slice(place, place + 1),
});

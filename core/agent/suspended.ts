import type { AgentConfirmation } from '../../ports/agent-confirmations.ts';
import type { ModelMessage } from '../../ports/language-model.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { PromptPassage } from '../answers/index.ts';
import { canSee, type Zone } from '../hidden-zone/index.ts';
import type { Trust } from './tool-runner.ts';
import type { Progress, Suspension, Task } from './run.ts';
import type { AgentStep } from './context-window.ts';

export interface SuspendedDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly sealer: Sealer;
}

/** Lifetime of a confirmation. */
export const CONFIRM_MS = 5 * 60_000;
/** Limit for one owner; the oldest are discarded. */
export const MAX_CONFIRMATIONS = 20;
/** Limit of a stored run, in UTF-16 code units before it is sealed. */
const MAX_RUN_LENGTH = 500_000;

/** The confirmation shown to the owner. */
export interface ConfirmRequest {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly why: string;
}

/** A run as it is stored until the owner decides, as plain JSON. */
export interface SuspendedRun extends Suspension {
  readonly role: string;
  readonly zone: Zone;
  readonly history: readonly ModelMessage[];
  readonly message: string;
  readonly data: string;
  readonly passages: readonly PromptPassage[];
  /** Every object the run knows of. */
  readonly objectIds: readonly string[];
  readonly messages: Trust['messages'];
  readonly earlierCalls: Trust['earlierCalls'];
}

/** Stores a suspended run in the unit of work that stores its reply. */
export async function suspend(
  deps: SuspendedDeps,
  { agentConfirmations }: Pick<Stores, 'agentConfirmations'>,
  task: Task,
  progress: Progress,
  suspension: Suspension,
): Promise<ConfirmRequest> {
  const now = deps.clock.now();
  const id = deps.random.uuid();
  const { tool, arguments: given, why } = suspension.pending;
  await agentConfirmations.removeExpired(now);
  await agentConfirmations.add({
    id,
    sessionId: task.sessionId,
    run: deps.sealer.seal(storable(runOf(task, progress, suspension))),
    createdAt: now,
    expiresAt: now + CONFIRM_MS,
  });
  await agentConfirmations.retain(MAX_CONFIRMATIONS);
  return { id, tool, arguments: given, why };
}

function runOf(task: Task, progress: Progress, suspension: Suspension): SuspendedRun {
  const { talk, work, role, attached, trust } = task;
  const { passages } = work.offering;
  const objectIds = new Set([
    ...attached,
    ...progress.steps.flatMap((step) => step.objectIds),
    ...passages.map(({ passage }) => passage.objectId),
  ]);
  return {
    ...suspension,
    role,
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
    coalescer: run.coalescer.slice(-1).map((round) => pendingOnly(round, run.place)),
    place: 0,
  });
}

const pendingOnly = ({ calls }: AgentStep, place: number): AgentStep => ({
  text: '',
  calls: calls.slice(place, place + 1),
});

/**
 * The run of a confirmation, if this caller may decide on it now. A run that has read objects now concealed by the
 * hidden zone counts as missing.
 */
export async function openRun(
  deps: Pick<SuspendedDeps, 'clock' | 'sealer'>,
  { objects }: Pick<Stores, 'objects'>,
  zone: Zone,
  confirmation: AgentConfirmation | undefined,
): Promise<SuspendedRun | undefined> {
  if (!confirmation || confirmation.expiresAt <= deps.clock.now()) return undefined;
  const text = deps.sealer.open(confirmation.run);
  if (text === undefined) return undefined;
  const run = JSON.parse(text) as SuspendedRun;
  if (zone !== 'closed') return run;
  if (run.zone !== 'closed') return undefined;
  const known = await objects.findMany(run.objectIds);
  const visible = known.filter((object) => canSee(object, zone));
  return visible.length === new Set(run.objectIds).size ? run : undefined;
}

import type { ChatMessage, ChatSession } from '../../ports/conversations.ts';
import {
  bindingOf,
  openSession,
  findChat,
  saveUserMessage,
  saveAssistantMessage,
  type ConfirmRequest,
  type AnswerSubscriber,
} from '../conversations/index.ts';
import { nameOf, type EngineDeps } from '../models/index.ts';
import { renewKey, saveResponse } from '../idempotency/index.ts';
import { noSubscriber, ClientDisconnectedError } from '../shared/stream-subscriber.ts';
import type { Caller } from '../shared/caller.ts';
import { emptyText } from '../shared/common-errors.ts';
import { charge, refund, type Charge } from '../usage/index.ts';
import { agentDisabled } from './errors.ts';
import { prepare, type AgentMessage } from './prepare.ts';
import {
  MAX_REPLIES,
  runAgent,
  type Progress,
  type RunDeps,
  type Suspension,
  type Task,
} from './run.ts';
import { suspend, type SuspendedDeps } from './suspended.ts';

export type AgentChatDeps = RunDeps &
  EngineDeps &
  SuspendedDeps & {
    /** Whether the operator has enabled the agent. */
    readonly agentEnabled: boolean;
  };

export interface AgentTurn {
  readonly session: ChatSession;
  readonly reply: ChatMessage;
  /** The pending confirmation; the run is suspended until the owner decides. */
  readonly confirm?: ConfirmRequest;
}

/**
 * Lets a model use tools on behalf of the caller until it answers. The message is saved before the run, so that it is
 * in the history however the run ends. Completed steps are saved too, since their effects remain.
 *
 * Ends with `agent_disabled`, `empty_text`, `not_found` and `plan_limit` before anything is saved, and with
 * `upstream_failed`, `deadline` and ClientDisconnectedError after that. A run that needs the owner's confirmation
 * ends with `confirm`.
 */
export async function agentChat(
  deps: AgentChatDeps,
  caller: Caller,
  message: AgentMessage,
  audience: AnswerSubscriber = noSubscriber,
): Promise<AgentTurn> {
  if (!deps.agentEnabled) throw agentDisabled();
  if (message.message.trim() === '') throw emptyText();
  const { task, charged } = await begin(deps, caller, message);
  return conduct(deps, caller, task, audience, charged);
}

/** Runs a task and stores its result, also on failure. */
export async function conduct(
  deps: AgentChatDeps,
  caller: Caller,
  task: Task,
  audience: AnswerSubscriber,
  charged?: Charge,
): Promise<AgentTurn> {
  const progress: Progress = {
    content: '',
    citations: [],
    cutOff: null,
    steps: [],
    touched: [],
    acted: false,
    tainted: task.trust.tainted,
  };
  let suspension: Suspension | undefined;
  try {
    suspension = await runAgent(deps, task, audience, progress);
  } catch (error) {
    const left = error instanceof ClientDisconnectedError;
    const isFinal = progress.steps.length > 0 || left;
    // A run that has done nothing may be repeated with its key.
    const { receipt: _receipt, ...withoutKey } = caller;
    if (progress.steps.length > 0 || progress.content !== '')
      await keep(deps, isFinal ? caller : withoutKey, task, { ...progress, cutOff: 'interrupted' });
    // A failed call of the operator's model is not counted.
    if (charged && !left && !progress.acted)
      await deps.uow.write(caller.scope, (stores) => refund(stores, charged));
    throw error;
  }
  return keep(deps, caller, task, progress, suspension);
}

function begin(
  deps: AgentChatDeps,
  caller: Caller,
  message: AgentMessage,
): Promise<{ readonly task: Task; readonly charged: Charge | undefined }> {
  return deps.uow.write(caller.scope, async (stores) => {
    const { userInput, task } = await prepare(deps, stores, caller, message);
    const charged = task.engine.metered
      ? await charge(stores, deps.clock, caller.limits, 'questions')
      : undefined;
    const session = await openSession(deps, stores, caller, userInput, 'agent');
    await saveUserMessage(deps, stores, session, userInput);
    await stores.agentConfirmations.removeExpired(deps.clock.now());
    const longest = MAX_REPLIES * deps.answerSeconds * 1000;
    await renewKey(stores, deps.clock, caller, longest);
    return { task: { ...task, sessionId: session.id }, charged };
  });
}

/** Stored even if the run ended early: a retry with the same key gets the completed steps and repeats none. */
function keep(
  deps: AgentChatDeps,
  caller: Caller,
  task: Task,
  progress: Progress,
  suspension?: Suspension,
): Promise<AgentTurn> {
  return deps.uow.write(caller.scope, async (stores) => {
    const found = await findChat(stores, task.sessionId);
    const hasDocumentText = found.hasDocumentText || progress.tainted;
    const boundTo = bindingOf(caller.scope);
    const session = { ...found, updatedAt: deps.clock.now(), hasDocumentText, boundTo };
    await stores.chats.save(session);
    const reply = await saveAssistantMessage(deps, stores, session, {
      ...progress,
      coverage: null,
      engine: nameOf(task.engine),
      confidence: null,
      objectIds: task.work.offering.passages.map(({ passage }) => passage.objectId),
      zone: task.work.zone,
      agentRole: task.role,
    });
    const confirm = suspension && (await suspend(deps, stores, task, progress, suspension, reply));
    const turn: AgentTurn = { session, reply, ...(confirm && { confirm }) };
    return saveResponse(stores, deps.clock, caller, turn);
  });
}

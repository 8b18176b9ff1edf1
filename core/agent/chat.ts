import type { ChatMessage, ChatSession } from '../../ports/conversations.ts';
import {
  begun,
  findChat,
  keepQuestion,
  keepReply,
  type AnswerAudience,
} from '../conversations/index.ts';
import type { EngineDeps } from '../models/index.ts';
import { extendReceipt, keepReceipt } from '../receipts/index.ts';
import { alone, AudienceLeft } from '../shared/audience.ts';
import type { Caller } from '../shared/caller.ts';
import { emptyText } from '../shared/common-errors.ts';
import { charge, giveBack, type Charge } from '../usage/index.ts';
import { agentDisabled } from './errors.ts';
import { prepare, type AgentMessage } from './prepare.ts';
import { MOST_REPLIES, run, type Progress, type RunDeps, type Task } from './run.ts';

export type AgentChatDeps = RunDeps &
  EngineDeps & {
    /** Whether the operator lets the agent be asked. */
    readonly agentEnabled: boolean;
  };

export interface AgentTurn {
  readonly session: ChatSession;
  readonly reply: ChatMessage;
}

/**
 * Has a model use tools on behalf of the caller until it answers. The message is kept before that, so that it is in the
 * history however the run ends; so are the steps that were taken, for what they did is done.
 *
 * Ends with `agent_disabled`, `empty_text`, `not_found` and `plan_limit` before anything is kept, and with
 * `upstream_failed`, `deadline` and AudienceLeft after that.
 */
export async function agentChat(
  deps: AgentChatDeps,
  caller: Caller,
  message: AgentMessage,
  audience: AnswerAudience = alone,
): Promise<AgentTurn> {
  if (!deps.agentEnabled) throw agentDisabled();
  if (message.message.trim() === '') throw emptyText();
  const { task, charged } = await begin(deps, caller, message);
  const progress: Progress = { content: '', citations: [], steps: [], touched: [], acted: false };
  try {
    await run(deps, task, audience, progress);
  } catch (error) {
    const left = error instanceof AudienceLeft;
    if (progress.steps.length > 0 || (left && progress.content !== ''))
      await keep(deps, caller, task, progress);
    // What the operator's model did not do costs nothing.
    if (charged && !left && !progress.acted)
      await deps.uow.write(caller.scope, (stores) => giveBack(stores, charged));
    throw error;
  }
  return keep(deps, caller, task, progress);
}

function begin(
  deps: AgentChatDeps,
  caller: Caller,
  message: AgentMessage,
): Promise<{ readonly task: Task; readonly charged: Charge | undefined }> {
  return deps.uow.write(caller.scope, async (stores) => {
    const { asked, task } = await prepare(deps, stores, caller, message);
    const charged = task.engine.metered
      ? await charge(stores, deps.clock, caller.limits, 'questions')
      : undefined;
    const session = await begun(deps, stores, asked, 'agent');
    await keepQuestion(deps, stores, session, asked);
    const longest = MOST_REPLIES * deps.answerSeconds * 1000;
    await extendReceipt(stores, deps.clock, caller, longest);
    return { task: { ...task, sessionId: session.id }, charged };
  });
}

/** Also of a run that ended early: a repeat under its key is told what was done, and does nothing again. */
function keep(
  deps: AgentChatDeps,
  caller: Caller,
  { sessionId }: Task,
  progress: Progress,
): Promise<AgentTurn> {
  return deps.uow.write(caller.scope, async (stores) => {
    const now = deps.clock.now();
    const session = { ...(await findChat(stores, sessionId)), updatedAt: now };
    const reply = await keepReply(deps, stores, session, progress);
    return keepReceipt(stores, deps.clock, caller, { session, reply });
  });
}

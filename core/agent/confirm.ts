import { roleFor } from '../agents/index.ts';
import { openRun, visibleChat, type AnswerSubscriber } from '../conversations/index.ts';
import { zoneFor } from '../hidden-zone/index.ts';
import { noSubscriber } from '../shared/stream-subscriber.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import type { Decision } from './tool-runner.ts';
import { conduct, type AgentChatDeps, type AgentTurn } from './chat.ts';
import { agentDisabled } from './errors.ts';
import { createShownPassages } from './shown-passages.ts';
import { equip, requireModel } from './prepare.ts';
import type { Task } from './run.ts';
import type { SuspendedRun } from './suspended.ts';

export interface AgentDecision {
  readonly confirmId: string;
  /** If present, it must be the session of the run. */
  readonly sessionId?: string;
  readonly decision: Decision;
}

/**
 * Resumes a suspended run after the owner has allowed or rejected its pending call. A separate unit of work consumes
 * the confirmation first. Of concurrent requests, in any processes, only one resumes the run.
 *
 * Ends with `agent_disabled`, and with `not_found` if the confirmation is unknown, used, expired, of another session
 * or owner, or concealed by the hidden zone. After that it ends as `agentChat` does.
 */
export async function confirmAgent(
  deps: AgentChatDeps,
  caller: Caller,
  decision: AgentDecision,
  audience: AnswerSubscriber = noSubscriber,
): Promise<AgentTurn> {
  if (!deps.agentEnabled) throw agentDisabled();
  return conduct(deps, caller, await consume(deps, caller, decision), audience);
}

function consume(
  deps: AgentChatDeps,
  caller: Caller,
  { confirmId, sessionId, decision }: AgentDecision,
): Promise<Task> {
  return deps.uow.write(caller.scope, async (stores) => {
    const confirmation = await stores.agentConfirmations.find(confirmId);
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const run = await openRun<SuspendedRun>(deps, stores, zone, confirmation);
    if (!confirmation || !run) throw notFound();
    if (sessionId !== undefined && sessionId !== confirmation.sessionId) throw notFound();
    const session = await visibleChat(stores, zone, confirmation.sessionId);
    const role = await roleFor(stores, run.role);
    const engine = await requireModel(deps, stores);
    const { work, allowed, tools, system } = await equip(deps, stores, caller, {
      engine,
      session,
      role,
      offering: createShownPassages(run.passages),
    });
    if (!(await stores.agentConfirmations.remove(confirmId))) throw notFound();
    const { history, message, data, objectIds, messages, earlierCalls, calls } = run;
    return {
      engine,
      sessionId: session.id,
      work,
      role: { slug: role.slug, name: role.name },
      allowed,
      tools,
      talk: { system, history, message, data },
      quoted: [],
      attached: objectIds,
      trust: { tainted: true, messages, earlierCalls, calls },
      resumed: { ...run, decision },
    };
  });
}

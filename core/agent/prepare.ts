import type { ToolName } from '../../ports/agent-tools.ts';
import type { ChatMessage, ChatSession } from '../../ports/conversations.ts';
import type { ModelMessage, ModelTool } from '../../ports/language-model.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { roleFor, type AgentRole } from '../agents/index.ts';
import {
  conversation,
  visibleChat,
  visibleObjects,
  type UserInput,
} from '../conversations/index.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { engineFor, type EngineDeps, type ModelEngine } from '../models/index.ts';
import { currentSettings } from '../settings/index.ts';
import type { Caller } from '../shared/caller.ts';
import { callKey, toolsOf, type ToolRunnerDeps } from './tool-runner.ts';
import { agentDisabled } from './errors.ts';
import { holdsPastedText, type OwnerMessage } from './grounding.ts';
import { createShownPassages, type ShownPassages } from './shown-passages.ts';
import { dataPart, systemPrompt } from './prompt.ts';
import type { Task } from './run.ts';
import { contextForMessage } from './message-context.ts';
import { tokenBudget, tokensOf, type AgentTranscript } from './context-window.ts';
import type { AgentContext } from './tool.ts';
import { TOOLS } from './tools/index.ts';

export interface AgentMessage {
  readonly message: string;
  /** If absent, a session of kind `agent` is created. */
  readonly sessionId?: string;
  /** A slug; if absent, the active role. */
  readonly role?: string;
  readonly attachments?: readonly string[];
}

export interface Prepared {
  readonly userInput: UserInput;
  readonly task: Omit<Task, 'sessionId'>;
}

export type PrepareDeps = ToolRunnerDeps & EngineDeps & ZoneDeps;

/**
 * Prepares the input of a model for a message. Ends with `agent_disabled` if there is no model, and with `not_found`.
 */
export async function prepare(
  deps: PrepareDeps,
  stores: Stores,
  caller: Caller,
  { message, sessionId, role: slug, attachments = [] }: AgentMessage,
): Promise<Prepared> {
  const engine = await requireModel(deps, stores);
  const zone = await zoneFor(deps, stores.pinLock, caller);
  const session = sessionId === undefined ? undefined : await visibleChat(stores, zone, sessionId);
  const role = await roleFor(stores, slug);
  const { chatMemory } = await currentSettings(stores);
  const { work, allowed, tools, system } = await equip(deps, stores, caller, {
    engine,
    session,
    role,
    offering: createShownPassages(),
  });
  const attached = await visibleObjects(stores, work.zone, attachments);
  const { documents, folders } = await contextForMessage(stores, work, attached, allowed);
  const quoted = [...documents, ...folders];
  const talk = { system, history: [], message, data: dataPart(quoted) };
  const capacity = remainingTokens(engine, tools, talk);
  const earlier =
    session && chatMemory ? await stores.chats.messages(session.id, MAX_EARLIER_MESSAGES) : [];
  const history: readonly ModelMessage[] = conversation(earlier, capacity * HISTORY_PART);
  const agentRole = { slug: role.slug, name: role.name };
  return {
    userInput: {
      content: message,
      session,
      attachments: attached.map(attachmentOf),
      objectIds: [],
      zone: work.zone,
      agentRole,
    },
    task: {
      engine,
      work,
      role: agentRole,
      allowed,
      tools,
      talk: { ...talk, history },
      quoted,
      attached: attached.map(({ id }) => id),
      trust: {
        // An earlier answer of the model may repeat text of a document. An earlier message that was never answered did
        // not mark its session.
        tainted:
          quoted.length > 0 ||
          role.isImported ||
          earlier.some(({ agentRole: by }) => by?.isImported === true) ||
          [message, ...ownerTexts(earlier)].some(holdsPastedText) ||
          (history.length > 0 && session?.hasDocumentText !== false),
        messages: [
          { content: message, attached: attached.map(({ id }) => id) },
          ...earlier.filter(isTypedToAgent).map(ownerMessageOf).reverse(),
        ],
        earlierCalls: earlier.flatMap(({ steps }) =>
          (steps ?? []).map((step) => callKey(step['tool'], step['arguments'])),
        ),
        calls: [],
      },
    },
  };
}

/** Ends with `agent_disabled` if no model is connected. */
export async function requireModel(deps: EngineDeps, stores: Stores): Promise<ModelEngine> {
  const engine = await engineFor(deps, stores);
  if (engine.kind !== 'model') throw agentDisabled();
  return engine;
}

interface Equipment {
  readonly work: AgentContext;
  readonly allowed: readonly ToolName[];
  readonly tools: readonly ModelTool[];
  readonly system: string;
}

/** The current settings of a run. */
export async function equip(
  deps: PrepareDeps,
  stores: Stores,
  caller: Caller,
  given: {
    readonly engine: ModelEngine;
    readonly session: ChatSession | undefined;
    readonly role: AgentRole;
    readonly offering: ShownPassages;
  },
): Promise<Equipment> {
  const { engine, session, role, offering: offered } = given;
  const { timezone } = await currentSettings(stores);
  const { receipt: _receipt, ...who } = caller;
  const work: AgentContext = {
    caller: who,
    collectionId: session?.collectionId ?? null,
    zone: await zoneFor(deps, stores.pinLock, caller),
    timezone,
    offering: offered,
  };
  const allowed = toolsOf(role, caller);
  const tools = allowed.map((name): ModelTool => {
    return { name, description: TOOLS[name].description, parameters: deps.tools.parameters(name) };
  });
  const now = deps.zones.toLocal(timezone, deps.clock.now());
  const { contextTokens } = engine;
  return { work, allowed, tools, system: systemPrompt({ role, now, timezone, contextTokens }) };
}

const attachmentOf = ({ id, filename }: StoredObject) => ({ objectId: id, filename });

/** A message without a role was not sent to the agent from here, or its origin is unknown. */
const isTypedToAgent = ({ role, agentRole }: ChatMessage): boolean =>
  role === 'user' && agentRole !== null && agentRole.isImported !== true;

const ownerTexts = (earlier: readonly ChatMessage[]): readonly string[] =>
  earlier.filter(({ role }) => role === 'user').map(({ content }) => content);

const ownerMessageOf = ({ content, attachments }: ChatMessage): OwnerMessage => ({
  content,
  attached: attachments.map(({ objectId }) => objectId),
});

/** The budget left for the earlier conversation. */
const remainingTokens = (
  { contextTokens }: ModelEngine,
  tools: readonly ModelTool[],
  talk: Omit<AgentTranscript, 'rounds'>,
): number => Math.max(0, tokenBudget(contextTokens, tools) - tokensOf({ ...talk, rounds: [] }));

/** Maximum number of earlier messages, and their share of the token budget. */
const MAX_EARLIER_MESSAGES = 40;
const HISTORY_PART = 0.5;

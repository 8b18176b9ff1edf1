import type { ModelMessage, ModelTool } from '../../ports/language-model.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { roleFor } from '../agents/index.ts';
import { conversation, findChat, seenObjects, type Asked } from '../conversations/index.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { engineFor, type EngineDeps, type ModelEngine } from '../models/index.ts';
import { currentSettings } from '../settings/index.ts';
import type { Caller } from '../shared/caller.ts';
import { toolsOf, type CallingDeps } from './calling.ts';
import { agentDisabled } from './errors.ts';
import { offering } from './offering.ts';
import { dataPart, systemPrompt } from './prompt.ts';
import type { Task } from './run.ts';
import { laidBeside } from './surroundings.ts';
import { roomFor, tokensOf, type Talk } from './talk.ts';
import type { Work } from './tool.ts';
import { TOOLS } from './tools/index.ts';

export interface AgentMessage {
  readonly message: string;
  /** Left out, a session of kind `agent` is made. */
  readonly sessionId?: string;
  /** A slug; left out, the active role. */
  readonly role?: string;
  readonly attachments?: readonly string[];
}

export interface Prepared {
  readonly asked: Asked;
  readonly task: Omit<Task, 'sessionId'>;
}

/** What a model is to work on for a message. Ends with `agent_disabled` where there is no model, and with `not_found`. */
export async function prepare(
  deps: CallingDeps & EngineDeps & ZoneDeps,
  stores: Stores,
  caller: Caller,
  { message, sessionId, role: slug, attachments = [] }: AgentMessage,
): Promise<Prepared> {
  const engine = await engineFor(deps, stores);
  if (engine.kind !== 'model') throw agentDisabled();
  const zone = await zoneFor(deps, stores.zoneLock, caller);
  const session = sessionId === undefined ? undefined : await findChat(stores, sessionId);
  const role = await roleFor(stores, slug);
  const attached = await seenObjects(stores, zone, attachments);
  const { chatMemory, timezone } = await currentSettings(stores);

  const { receipt: _receipt, ...who } = caller;
  const work: Work = {
    caller: who,
    collectionId: session?.collectionId ?? null,
    zone,
    timezone,
    offering: offering(),
  };
  const allowed = toolsOf(role);
  const tools = allowed.map((name): ModelTool => {
    return { name, description: TOOLS[name].description, parameters: deps.tools.parameters(name) };
  });
  const now = deps.zones.toLocal(timezone, deps.clock.now());
  const { contextTokens } = engine;
  const system = systemPrompt({ role, now, timezone, contextTokens });
  const quoted = await laidBeside(stores, work, attached, allowed);
  const talk = { system, history: [], message, data: dataPart(quoted) };
  const room = roomLeft(engine, tools, talk);
  const history = session && chatMemory ? await historyOf(stores, session.id, room) : [];
  return {
    asked: { content: message, session, attachments: attached.map(attachmentOf) },
    task: {
      engine,
      work,
      allowed,
      tools,
      talk: { ...talk, history },
      quoted,
      attached: attached.map(({ id }) => id),
    },
  };
}

const attachmentOf = ({ id, filename }: StoredObject) => ({ objectId: id, filename });

/** What is left for the conversation before. */
const roomLeft = (
  { contextTokens }: ModelEngine,
  tools: readonly ModelTool[],
  talk: Omit<Talk, 'rounds'>,
): number => Math.max(0, roomFor(contextTokens, tools) - tokensOf({ ...talk, rounds: [] }));

/** Messages that are looked back at, and the part of the room that they may take. */
const MOST_EARLIER = 40;
const HISTORY_PART = 0.5;

async function historyOf(
  { chats }: Pick<Stores, 'chats'>,
  sessionId: string,
  room: number,
): Promise<readonly ModelMessage[]> {
  return conversation(await chats.messages(sessionId, MOST_EARLIER), room * HISTORY_PART);
}

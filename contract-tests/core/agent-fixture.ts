import type { ScriptedAnswer } from '../../adapters/memory/language-model.ts';
import type { AnswerSubscriber, AnswerEvent } from '../../core/conversations/index.ts';
import type { CoreDeps } from '../../core/index.ts';
import type { ModelMessage, ModelRequest, ToolCall } from '../../ports/language-model.ts';
import type { Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

/** The scripted replies of the agent's model. */
export type Reply =
  | string
  | readonly (readonly [tool: string, given: object | string])[]
  | ScriptedAnswer
  | ((request: ModelRequest) => ScriptedAnswer);

export interface AgentWorld extends CoreFixture {
  /** The prompts, in order. */
  readonly asked: ModelRequest[];
  /** The replies of the model, in order; the last one is repeated forever. */
  replies(...script: readonly Reply[]): void;
  /** A note that search finds. */
  note(
    content: string,
    more?: { title?: string; isHidden?: boolean; collectionId?: string },
  ): Promise<string>;
  folder(name: string): Promise<string>;
  chat(
    message: string,
    more?: {
      sessionId?: string;
      role?: string;
      attachments?: readonly string[];
      hiddenToken?: string;
    },
  ): Promise<ReceivedEvents>;
  decide(
    confirmId: string,
    decision: 'allow' | 'refuse',
    more?: { sessionId?: string; hiddenToken?: string },
  ): Promise<ReceivedEvents>;
}

/** A run as seen by its subscriber. */
export interface ReceivedEvents {
  readonly news: readonly AnswerEvent[];
  /** Its end: the agent's turn, or the error. */
  readonly turn?: Awaited<ReturnType<CoreFixture['core']['agent']['agentChat']>>;
  readonly error?: unknown;
}

let calls = 0;
export const call = (name: string, given: object | string): ToolCall => ({
  id: `call-${++calls}`,
  name,
  arguments: typeof given === 'string' ? given : JSON.stringify(given),
});

const isCalls = (reply: Reply): reply is readonly (readonly [string, object | string])[] =>
  Array.isArray(reply);

function answerOf(reply: Reply, request: ModelRequest): ScriptedAnswer {
  if (typeof reply === 'function') return reply(request);
  if (typeof reply === 'string') return { pieces: [reply] };
  if (!isCalls(reply)) return reply;
  return { pieces: [], reason: 'tools', calls: reply.map(([name, given]) => call(name, given)) };
}

export async function openAgentWorld(
  backend: Backend,
  name: string,
  over: Partial<Pick<CoreDeps, 'agentEnabled' | 'changes' | 'operatorModel'>> = {},
): Promise<AgentWorld> {
  const world = await openCoreFixture(backend, name, over);
  if (over.operatorModel === undefined)
    await world.core.integrations.connectModel(world.caller, {
      config: { base_url: 'http://models.test/v1', model: 'lamp-7b', context_tokens: 32_000 },
    });
  const requested: ModelRequest[] = [];
  const { core, caller } = world;
  const hear = async (
    hiddenToken: string | undefined,
    run: (who: typeof caller, audience: AnswerSubscriber) => Promise<ReceivedEvents['turn']>,
  ): Promise<ReceivedEvents> => {
    const event: AnswerEvent[] = [];
    const audience = {
      send: (each: AnswerEvent) => Promise.resolve(void event.push(each)),
      disconnected: new Promise<void>(() => undefined),
    };
    const who = hiddenToken === undefined ? caller : { ...caller, hiddenToken };
    try {
      return { news: event, turn: await run(who, audience) } as ReceivedEvents;
    } catch (error) {
      return { news: event, error };
    }
  };
  return Object.assign(world, {
    asked: requested,
    replies: (...script: readonly Reply[]) => {
      requested.length = 0;
      world.model.says = (request) => {
        const reply = script[Math.min(requested.length, script.length - 1)] ?? '';
        requested.push(request);
        return answerOf(reply, request);
      };
    },
    note: async (content: string, more = {}) => {
      const { object } = await core.objects.addNote(caller, { content, ...more });
      await world.runPendingTasks();
      return object.id;
    },
    folder: async (folder: string) =>
      (await core.library.createCollection(caller, { name: folder })).collection.id,
    chat: async (
      message: string,
      { hiddenToken, ...more }: { hiddenToken?: string; sessionId?: string; role?: string } = {},
    ) =>
      hear(hiddenToken, (who, audience) =>
        core.agent.agentChat(who, { message, ...more }, audience),
      ),
    decide: async (
      confirmId: string,
      decision: 'allow' | 'refuse',
      { hiddenToken, ...more }: { hiddenToken?: string; sessionId?: string } = {},
    ) =>
      hear(hiddenToken, (who, audience) =>
        core.agent.confirmAgent(who, { confirmId, decision, ...more }, audience),
      ),
  });
}

/** The results of the model's calls, latest first. */
export const results = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? [])
    .filter((message: ModelMessage) => message.role === 'tool')
    .map(({ content }) => content)
    .reverse();

export const told = ({ news: event }: Pick<ReceivedEvents, 'news'>): string =>
  event.map((each) => (each.type === 'delta' ? each.text : '')).join('');

export const stepsIn = ({
  news: event,
}: Pick<ReceivedEvents, 'news'>): readonly Record<string, unknown>[] =>
  event.flatMap((each) => (each.type === 'step' ? [each.step] : []));

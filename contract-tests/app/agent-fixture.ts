import type { ServerResponse } from 'node:http';
import { chunk, streaming, type ModelService } from '../fake-model-server.ts';
import type { Browser, Page } from 'playwright-core';
import type { Served } from '../http/harness.ts';
import { openApp, type AppOptions, type AppTab } from './app-fixture.ts';

/** The reply of the scripted model: text, or tool calls. */
export type Reply = string | readonly (readonly [tool: string, given: object])[];

/** A reply, or one that is made when the model is asked. */
type ScriptedReply = Reply | (() => Promise<Reply>);

export interface AgentModel {
  /** The replies to the agent, one for each request of a run. The last one is repeated. */
  says(...script: readonly ScriptedReply[]): void;
  /** Plays the first replies and then waits without a word. */
  stallsAfter(...script: readonly ScriptedReply[]): void;
  /** How many requests of the agent are open. */
  readonly open: () => number;
}

/** Makes the model play scripts for the agent. Requests that are not of the agent get a short text. */
export function agentModel(model: ModelService): AgentModel {
  let open = 0;
  const play = (script: readonly ScriptedReply[], isEndless: boolean) => {
    let requests = 0;
    model.plays((response, { body }) => {
      response.writeHead(200, streaming);
      const [system] = body.messages as readonly { readonly content: string }[];
      if (!system?.content.startsWith('You are the agent'))
        return void response.end(chunk({ content: 'ready' }, 'stop'));
      open++;
      response.once('close', () => open--);
      const nth = requests++;
      if (isEndless && nth >= script.length) return response.flushHeaders();
      const reply = script[Math.min(nth, script.length - 1)] ?? '';
      void Promise.resolve(typeof reply === 'function' ? reply() : reply).then((made) =>
        send(response, nth, made),
      );
    });
  };
  return {
    says: (...script) => play(script, false),
    stallsAfter: (...script) => play(script, true),
    open: () => open,
  };
}

function send(response: ServerResponse, nth: number, reply: Reply): void {
  if (typeof reply === 'string') return void response.end(chunk({ content: reply }, 'stop'));
  for (const [index, [name, given]] of reply.entries()) {
    const call = { name, arguments: JSON.stringify(given) };
    response.write(
      chunk({ tool_calls: [{ index, id: `c${nth}-${index}`, type: 'function', function: call }] }),
    );
  }
  response.end(chunk({}, 'tool_calls'));
}

/** Connects the model for the owner, and puts a role with all tools in use. */
export async function connectAgent(
  service: Served,
  { token }: Pick<AppTab, 'token'>,
  model: ModelService,
): Promise<void> {
  model.plays({ pieces: ['ready'] });
  await service.call('PUT', '/v1/integrations/llm', {
    token,
    body: {
      config: { base_url: `${model.origin}/v1`, model: 'lamp-7b', context_tokens: 32_000 },
    },
  });
  await service.call('POST', '/v1/agents/custom', {
    token,
    body: {
      slug: 'secretary',
      name: 'Secretary',
      persona: 'You keep the papers in order.',
      toolsets: ['objects', 'notes', 'calendar', 'organize'],
    },
  });
  await service.call('POST', '/v1/agents/secretary/activate', { token });
}

/** Opens a tab with a new owner who has connected the model, and a role with all tools in use. */
export async function openWithAgent(
  browser: Browser,
  service: Served,
  model: ModelService,
  options: AppOptions = {},
): Promise<AppTab> {
  const tab = await openApp(browser, service, options);
  await connectAgent(service, tab, model);
  return tab;
}

/** Writes a message and sends it. */
export async function handOver(page: Page, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'What is to be done?' }).fill(message);
  await page.keyboard.press('Enter');
}

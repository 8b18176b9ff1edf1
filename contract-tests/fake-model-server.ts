import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ScriptedAnswer } from '../adapters/memory/language-model.ts';
import { startLocalServer } from './local-server.ts';

/** A question as it came over the wire. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what the specs judge
  readonly body: any;
}

/** A scripted reply of the model, or a custom response handler. */
export type Play = ScriptedAnswer | ((response: ServerResponse, requested: Asked) => void);

/** A refusal of a busy service. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A local server with the OpenAI chat completions API and scripted replies. */
export interface ModelService {
  readonly origin: string;
  readonly port: number;
  plays(play: Play): void;
  /** Refuses the next requests, before it plays again. */
  refuses(times: number, refusal: Refusal): void;
  readonly asked: Asked[];
  /** Responses with an open connection. */
  busy(): number;
  visits(): number;
  close(): Promise<void>;
}

const REASONS = { stop: 'stop', length: 'length', tools: 'tool_calls', filtered: 'content_filter' };

/** `port` 0 selects a free one. */
export async function openModelService(port = 0): Promise<ModelService> {
  let play: Play = { pieces: ['ready'] };
  const requested: Asked[] = [];
  let busy = 0;
  let refusals = 0;
  let refusal: Refusal = { status: 429 };
  const site = await startLocalServer(
    (request, response) => {
      busy++;
      response.on('close', () => busy--);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const sent = Buffer.concat(chunks).toString();
        const body: unknown = sent === '' ? undefined : JSON.parse(sent);
        const question = { path: request.url ?? '', headers: request.headers, body };
        requested.push(question);
        if (refusals > 0) {
          refusals--;
          response.writeHead(refusal.status, refusal.headers);
          response.end(refusal.body);
        } else if (typeof play === 'function') play(response, question);
        else void speak(play, response);
      });
    },
    undefined,
    port,
  );
  return {
    origin: site.origin,
    port: site.port,
    plays: (next) => (play = next),
    refuses: (times, how) => {
      refusals = times;
      refusal = how;
    },
    asked: requested,
    busy: () => busy,
    visits: () => site.visits(),
    close: () => site.close(),
  };
}

export const streaming = { 'content-type': 'text/event-stream; charset=utf-8' };
export const event = (payload: unknown): string => `data: ${JSON.stringify(payload)}\n\n`;
export const chunk = (delta: unknown, finish: string | null = null): string =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

async function speak(answer: ScriptedAnswer, response: ServerResponse): Promise<void> {
  if ('refused' in answer) {
    response.writeHead(answer.refused, {
      'content-type': 'application/json',
      ...(answer.retryAfter !== undefined && { 'retry-after': `${answer.retryAfter}` }),
    });
    response.end('{"error":{"message":"answered: sk-secret-of-this-test, whisper"}}');
    return;
  }
  response.writeHead(200, streaming);
  response.flushHeaders();
  const write = (text: string) =>
    new Promise<void>((done) => {
      if (response.destroyed || response.write(text)) setImmediate(done);
      else {
        response.once('drain', done);
        response.once('close', done);
      }
    });
  const last = answer.pieces.at(-1) ?? '';
  for (const content of answer.pieces) await write(chunk({ content }));
  while (answer.then === 'for ever' && !response.destroyed) await write(chunk({ content: last }));
  if (answer.then === 'silence') return;
  if (answer.then === 'cut') return void response.end();
  for (const [index, call] of (answer.calls ?? []).entries()) {
    const half = Math.floor(call.arguments.length / 2);
    const begin = { name: call.name, arguments: '' };
    await write(chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: begin }] }));
    for (const piece of [call.arguments.slice(0, half), call.arguments.slice(half)])
      await write(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  await write(chunk({}, REASONS[answer.reason ?? 'stop']));
  const { usage } = answer;
  if (usage)
    await write(
      event({
        choices: [],
        usage: { prompt_tokens: usage.promptTokens, completion_tokens: usage.answerTokens },
      }),
    );
  response.end('data: [DONE]\n\n');
}

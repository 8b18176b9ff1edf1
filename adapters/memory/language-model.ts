import { UnavailableError } from '../../ports/errors.ts';
import {
  ModelError,
  type FinishReason,
  type LanguageModel,
  type ModelCheck,
  type ModelEndpoint,
  type ModelEvent,
  type ModelRequest,
  type ModelUsage,
  type ToolCall,
} from '../../ports/language-model.ts';

/** A scripted reply of a fake model. */
export type ScriptedAnswer =
  | {
      readonly pieces: readonly string[];
      readonly calls?: readonly ToolCall[];
      /** `stop` by default. */
      readonly reason?: FinishReason;
      readonly usage?: ModelUsage;
      /** What follows the chunks instead of a proper end: the last chunk repeated forever, or silence. */
      readonly then?: 'cut' | 'silence' | 'for ever';
    }
  /** The service responds with this status, and with `Retry-After` in seconds. */
  | { readonly refused: number; readonly retryAfter?: number };

export type Script = (request: ModelRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** A scripted language model: the fake of unit tests. */
export class ScriptedLanguageModel implements LanguageModel {
  readonly #script: Script;
  readonly #running = new Set<(error: Error) => void>();
  #closed = false;

  constructor(script: Script) {
    this.#script = script;
  }

  /** Number of answers that are still being read. */
  get open(): number {
    return this.#running.size;
  }

  answer(request: ModelRequest): AsyncIterable<ModelEvent> {
    return { [Symbol.asyncIterator]: () => this.#drawn(request) };
  }

  async check(endpoint: ModelEndpoint, timeMs: number): Promise<ModelCheck> {
    const bounds = { idleMs: timeMs, totalMs: timeMs, maxBytes: 1_000_000 };
    const question = [{ role: 'user', content: 'Are you there?' }] as const;
    const events = this.#drawn({ endpoint, messages: question, ...bounds });
    try {
      await events.next();
      return { ok: true };
    } catch (error) {
      if (error instanceof ModelError) return { ok: false, reason: error.message };
      throw error;
    } finally {
      await events.return?.();
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const end of this.#running) end(closing());
    return Promise.resolve();
  }

  #drawn(request: ModelRequest): AsyncIterator<ModelEvent> {
    const unwanted = new Error('The consumer has stopped reading.');
    let end = (_error: Error): void => undefined;
    const ended = new Promise<never>((_, reject) => (end = reject));
    ended.catch(() => undefined);
    const events = this.#events(request, end, ended);
    return {
      next: () =>
        events.next().catch((error: unknown) => {
          if (error === unwanted) return { done: true, value: undefined };
          throw error;
        }),
      return: () => {
        end(unwanted);
        return events.return(undefined);
      },
    };
  }

  async *#events(
    request: ModelRequest,
    end: (error: Error) => void,
    ended: Promise<never>,
  ): AsyncGenerator<ModelEvent> {
    if (this.#closed) throw closing();
    this.#running.add(end);
    const late = new ModelError('deadline', 'The model gave no answer in time.');
    const total = setTimeout(() => end(late), request.totalMs);
    let idle: NodeJS.Timeout | undefined;
    const silence = () => {
      idle = setTimeout(() => end(late), request.idleMs);
      return ended;
    };
    try {
      const script = await Promise.race([ended, this.#script(request)]);
      if ('refused' in script) throw rejection(script);
      let bytes = 0;
      for await (const text of piecesOf(script, ended)) {
        bytes += Buffer.byteLength(text);
        if (bytes > request.maxBytes) throw failed('The answer of the model is too long.');
        yield { type: 'text', text };
      }
      if (script.then === 'silence') await silence();
      if (script.then === 'cut') throw failed('The answer of the model was cut off.');
      const { reason = 'stop' } = script;
      if (reason === 'stop' || reason === 'tools')
        for (const call of script.calls ?? []) yield { type: 'call', call };
      yield { type: 'end', reason, usage: script.usage ?? null };
    } finally {
      clearTimeout(total);
      clearTimeout(idle);
      this.#running.delete(end);
    }
  }
}

/** Well-formed chunks, split like those of a real model. */
async function* piecesOf(
  { pieces, then }: Extract<ScriptedAnswer, { readonly pieces: unknown }>,
  ended: Promise<never>,
): AsyncGenerator<string> {
  let half = '';
  for (let i = 0; i < pieces.length || then === 'for ever'; i++) {
    await Promise.race([ended, new Promise((resolve) => setImmediate(resolve))]);
    const text = half + (pieces[Math.min(i, pieces.length - 1)] ?? '');
    half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    const whole = text.slice(0, text.length - half.length);
    if (whole !== '') yield whole.toWellFormed().replaceAll('\0', '\ufffd');
  }
  if (half !== '') yield '\ufffd';
}

const failed = (reason: string): ModelError => new ModelError('failed', reason);

function rejection({ refused, retryAfter }: Extract<ScriptedAnswer, { refused: number }>) {
  const reason = `The model service failed (status ${refused}).`;
  return refused === 429 || refused === 503
    ? new ModelError('busy', reason, retryAfter ?? (refused === 503 ? 5 : null))
    : failed(reason);
}

const closing = (): UnavailableError =>
  new UnavailableError('language-model', 'The service is closing.');

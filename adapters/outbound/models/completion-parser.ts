import type { FinishReason, ModelEvent, ModelUsage } from '../../../ports/language-model.ts';
import { brokenOff, cutOff, tooLong, unreadable } from './failures.ts';
import { ReasoningFilter } from './reasoning-filter.ts';

const MAX_TOOL_CALLS = 128;
/** A Map, because the key is external: in an object `constructor` would select an inherited property. */
const REASONS = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tools'],
  ['function_call', 'tools'],
  ['content_filter', 'filtered'],
]);

interface CallPieces {
  id: string;
  name: string;
  arguments: string;
}

/** Parses the response of a service, complete or streamed, into events. Unknown fields are ignored. */
export class CompletionParser {
  readonly #thoughts = new ReasoningFilter();
  readonly #calls: CallPieces[] = [];
  /** The call to which further chunks with an index belong. */
  readonly #open = new Map<number, CallPieces>();
  #reason: FinishReason | undefined;
  #usage: ModelUsage | null = null;
  /** The first half of a surrogate pair that the next chunk may complete. */
  #half = '';
  #started = false;

  /** Whether a model has begun to answer. */
  get started(): boolean {
    return this.#started;
  }

  /** Whether the model has finished; its usage may still follow. */
  get finished(): boolean {
    return this.#reason !== undefined;
  }

  /** One JSON document of a stream, or that of a response without a stream. */
  take(json: string): readonly ModelEvent[] {
    let sent: unknown;
    try {
      sent = JSON.parse(json);
    } catch {
      throw unreadable();
    }
    if (at(sent, 'error') !== undefined && at(sent, 'error') !== null) throw brokenOff();
    this.#usage = usageOf(at(sent, 'usage')) ?? this.#usage;
    const choices = at(sent, 'choices');
    if (!Array.isArray(choices) || choices.length === 0) return [];
    this.#started = true;
    const choice: unknown = choices[0];
    const delta = at(choice, 'delta') ?? at(choice, 'message');
    const text = this.#thoughts.feed(this.#whole(textOf(at(delta, 'content'))));
    const calls = at(delta, 'tool_calls');
    if (Array.isArray(calls)) for (const [i, call] of calls.entries()) this.#addTo(call, i);
    const reason = at(choice, 'finish_reason');
    if (typeof reason === 'string') this.#reason = REASONS.get(reason) ?? 'stop';
    return text === '' ? [] : [{ type: 'text', text }];
  }

  /** End-of-stream marker received. */
  done(): void {
    if (!this.#started) throw unreadable();
    this.#reason ??= 'stop';
  }

  /** The events due after the last byte. */
  end(): readonly ModelEvent[] {
    if (!this.#started) throw unreadable();
    if (this.#reason === undefined) throw cutOff();
    const calls = this.#calls.map((call, i): ModelEvent => {
      if (call.name === '') throw unreadable();
      return {
        type: 'call',
        call: {
          id: call.id === '' ? `call_${i}` : call.id,
          name: call.name,
          arguments: call.arguments === '' ? '{}' : call.arguments.toWellFormed(),
        },
      };
    });
    const last = this.#thoughts.feed(this.#half === '' ? '' : '\ufffd') + this.#thoughts.end();
    const rest: ModelEvent[] = last === '' ? [] : [{ type: 'text', text: last }];
    // Some services say `stop` where they mean tool calls.
    const reason = calls.length > 0 && this.#reason === 'stop' ? 'tools' : this.#reason;
    return [...rest, ...calls, { type: 'end', reason, usage: this.#usage }];
  }

  #whole(piece: string): string {
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    return text
      .slice(0, text.length - this.#half.length)
      .toWellFormed()
      .replaceAll('\0', '\ufffd');
  }

  #addTo(piece: unknown, place: number): void {
    const [index, id] = [at(piece, 'index'), stringOf(at(piece, 'id'))];
    const number = typeof index === 'number' ? index : place;
    const open = this.#open.get(number);
    const delta = at(piece, 'function');
    const name = stringOf(at(delta, 'name'));
    // Some services send the same index for every call, or none, and no id: another id means another call, and so
    // does a name after complete arguments.
    const shouldContinue =
      open &&
      (id === '' || open.id === '' || open.id === id) &&
      (id !== '' || name === '' || !isWhole(open.arguments));
    const call = shouldContinue ? open : this.#begin(number);
    const given = at(delta, 'arguments');
    call.id ||= id;
    // The name is sent complete, in chunks, or complete with every chunk of the arguments.
    if (name !== call.name) call.name += name;
    call.arguments +=
      typeof given === 'object' && given !== null ? JSON.stringify(given) : stringOf(given);
  }

  #begin(number: number): CallPieces {
    if (this.#calls.length === MAX_TOOL_CALLS) throw tooLong();
    const call = { id: '', name: '', arguments: '' };
    this.#calls.push(call);
    this.#open.set(number, call);
    return call;
  }
}

function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function isWhole(object: string): boolean {
  // The end is checked first, since this runs for every chunk with a name.
  if (!object.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(object);
    return true;
  } catch {
    return false;
  }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A text, or the texts of a list of content parts. */
const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part) => stringOf(at(part, 'text'))).join('')
    : stringOf(content);

function usageOf(usage: unknown): ModelUsage | undefined {
  const [prompt, answer] = [at(usage, 'prompt_tokens'), at(usage, 'completion_tokens')];
  return Number.isSafeInteger(prompt)
    ? {
        promptTokens: prompt as number,
        answerTokens: Number.isSafeInteger(answer) ? (answer as number) : 0,
      }
    : undefined;
}

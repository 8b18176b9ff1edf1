import type {
  FinishReason,
  ModelEndpoint,
  ModelEvent,
  ModelUsage,
} from '../../../ports/language-model.ts';
import { brokenOff, cutOff, rejectedWith, unreadable, type ModelFailure } from './failures.ts';
import { finishReasonOf } from './finish-reasons.ts';
import { at, stringOf } from './json-fields.ts';
import { ReasoningFilter, type Filtered } from './reasoning-filter.ts';
import { ToolCallParser } from './tool-call-parser.ts';
import { TurnStateCollector } from './turn-state.ts';

/** Parses the response of a service, complete or streamed, into events. Unknown fields are ignored. */
export class CompletionParser {
  readonly #thoughts: ReasoningFilter;
  readonly #calls = new ToolCallParser();
  readonly #state = new TurnStateCollector();
  readonly #endpoint: ModelEndpoint;
  #reason: FinishReason | undefined;
  #failure: Error | undefined;
  /** The service announces an end with chunks that are not the last: only the end of the stream counts. */
  #isUnreliable = false;
  #usage: ModelUsage | null = null;
  /** The first half of a surrogate pair that the next chunk may complete. */
  #half = '';
  #started = false;

  /** @param beginsOpen the model's answers are known to begin with reasoning that has no opening marker */
  constructor(endpoint: ModelEndpoint, beginsOpen: boolean) {
    this.#endpoint = endpoint;
    this.#thoughts = new ReasoningFilter(beginsOpen);
  }

  /** Whether a model has begun to answer. */
  get started(): boolean {
    return this.#started;
  }

  /** Whether the model has finished, or failed; its usage may still follow. */
  get finished(): boolean {
    return this.#failure !== undefined || (this.#reason !== undefined && !this.#isUnreliable);
  }

  /** Whether the answer began with reasoning that had no opening marker; undefined while that cannot be known. */
  get beganOpen(): boolean | undefined {
    return this.#thoughts.beganOpen;
  }

  /** One JSON document of a stream, or that of a response without a stream. */
  take(json: string): readonly ModelEvent[] {
    let sent: unknown;
    try {
      sent = JSON.parse(json);
    } catch {
      throw unreadable();
    }
    if (isError(sent)) throw reportedAs(at(sent, 'error'));
    this.#usage = usageOf(at(sent, 'usage')) ?? this.#usage;
    const choices = at(sent, 'choices');
    if (!Array.isArray(choices) || choices.length === 0) return [];
    this.#started = true;
    const choice: unknown = choices[0];
    if (isError(choice)) throw reportedAs(at(choice, 'error'));
    const delta = at(choice, 'delta') ?? at(choice, 'message');
    const content = textOf(at(delta, 'content'));
    const calls = at(delta, 'tool_calls');
    if (
      this.#reason !== undefined &&
      (content !== '' || (Array.isArray(calls) && calls.length > 0))
    )
      this.#isUnreliable = true;
    const events = eventsOf(this.#thoughts.feed(this.#whole(content)));
    this.#calls.take(calls);
    this.#state.take(delta);
    this.#finish(finishReasonOf(at(choice, 'finish_reason')));
    return events;
  }

  /** End-of-stream marker received. */
  done(): void {
    if (!this.#started) throw unreadable();
    if (this.#failure) return;
    this.#reason ??= 'stop';
    this.#isUnreliable = false;
  }

  /** The text that is due after the last byte, also if the answer has no end. */
  rest(): readonly ModelEvent[] {
    const last = this.#thoughts.feed(this.#half === '' ? '' : '\ufffd');
    return [...eventsOf(last), ...eventsOf(this.#thoughts.end(!this.#isComplete))];
  }

  /** The events that are due after all text. */
  end(): readonly ModelEvent[] {
    if (!this.#started) throw unreadable();
    if (this.#failure) throw this.#failure;
    if (this.#reason === undefined) throw cutOff();
    // A call may be cut in a way that cannot be seen, so none is returned.
    const calls = this.#isComplete ? this.#calls.calls() : [];
    // Some services say `stop` where they mean tool calls.
    const reason = calls.length > 0 && this.#reason === 'stop' ? 'tools' : this.#reason;
    const state =
      calls.length > 0 ? this.#state.sealed(this.#endpoint, this.#calls.extras()) : undefined;
    return [
      ...calls.map((call): ModelEvent => ({ type: 'call', call })),
      { type: 'end', reason, usage: this.#usage, ...(state !== undefined && { state }) },
    ];
  }

  get #isComplete(): boolean {
    return !this.#failure && (this.#reason === 'stop' || this.#reason === 'tools');
  }

  #finish(reason: ReturnType<typeof finishReasonOf>): void {
    if (reason instanceof Error) this.#failure = reason;
    else this.#reason = reason ?? (this.#isUnreliable ? undefined : this.#reason);
  }

  #whole(piece: string): string {
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    return text
      .slice(0, text.length - this.#half.length)
      .toWellFormed()
      .replaceAll('\0', '\ufffd');
  }
}

const isError = (sent: unknown): boolean => {
  const error = at(sent, 'error');
  return error !== undefined && error !== null && error !== '' && error !== false;
};

/** A service that has no room may say so within a response of status 200. */
function reportedAs(error: unknown): ModelFailure {
  const code = Number(at(error, 'code') ?? at(error, 'status'));
  if (BUSY_CODES.includes(code)) return rejectedWith(code);
  const named = `${stringOf(at(error, 'code'))} ${stringOf(at(error, 'type'))}`;
  return /rate_?limit|too_many_requests|overloaded/i.test(named) ? rejectedWith(429) : brokenOff();
}
const BUSY_CODES: readonly number[] = [429, 503, 529];

function eventsOf({ restarts, text }: Filtered): readonly ModelEvent[] {
  const events: ModelEvent[] = restarts ? [{ type: 'restart' }] : [];
  return text === '' ? events : [...events, { type: 'text', text }];
}

/** A text, or the texts of a list of content parts. */
const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part) => (isText(part) ? stringOf(at(part, 'text')) : '')).join('')
    : stringOf(content);

/** Parts of another type hold reasoning, or no text. */
const isText = (part: unknown): boolean =>
  [undefined, 'text', 'output_text'].includes(at(part, 'type') as string | undefined);

function usageOf(usage: unknown): ModelUsage | undefined {
  const [prompt, answer] = [at(usage, 'prompt_tokens'), at(usage, 'completion_tokens')];
  return Number.isSafeInteger(prompt)
    ? {
        promptTokens: prompt as number,
        answerTokens: Number.isSafeInteger(answer) ? (answer as number) : 0,
      }
    : undefined;
}

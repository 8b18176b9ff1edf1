/** Endpoint of a model: any service with the OpenAI chat completions API. */
export interface ModelEndpoint {
  /** http or https, in the normal form of the WHATWG URL standard, without credentials, query and fragment. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; visible ASCII. Null if the service needs none. */
  readonly key: string | null;
  /** 0 to 2; null for the service's default. */
  readonly temperature: number | null;
  /** Who chose the address. The operator's may be any address; an owner's is subject to the SSRF protection. */
  readonly chosenBy: 'owner' | 'operator';
  /** What the last check has shown; absent if it has not been recorded. */
  readonly habits?: readonly ModelHabit[];
}

/**
 * What a service does not do, or does in its own way: it does not stream, has no system role, no tools, no JSON mode,
 * accepts no temperature, reports no usage of a stream, does not take back the state of a reply, or begins its answers
 * with reasoning that has no opening marker.
 */
export const MODEL_HABITS = [
  'no_streaming',
  'no_system_role',
  'no_tools',
  'no_json_mode',
  'no_temperature',
  'no_usage',
  'no_state',
  'open_reasoning',
] as const;
export type ModelHabit = (typeof MODEL_HABITS)[number];

/** A tool call requested by a model. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** A JSON object if the model wrote one; else what it wrote. */
  readonly arguments: string;
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
      /** As it came with this reply, opaque. Sent back to the same endpoint only. */
      readonly state?: string;
    }
  /** The result of a call. */
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly endpoint: ModelEndpoint;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  /** Requests one JSON object; the result is not validated. */
  readonly jsonOnly?: boolean;
  /**
   * Maximum silence, including the time to the first byte. Time in which the consumer does not read is not counted.
   */
  readonly idleMs: number;
  /** From the first read to the end. */
  readonly totalMs: number;
  /** Maximum size of the response body. */
  readonly maxBytes: number;
}

export interface ModelUsage {
  readonly promptTokens: number;
  readonly answerTokens: number;
}

/** Why an answer ended: complete, too long, tool calls follow, or filtered by the service. */
export type FinishReason = 'stop' | 'length' | 'tools' | 'filtered';

/** Reasoning is no text of the answer. An answer that ends for no reason of FinishReason is `failed`. */
export type ModelEvent =
  /** The next chunk, never empty. */
  | { readonly type: 'text'; readonly text: string }
  /** The text so far was reasoning: the answer begins now. */
  | { readonly type: 'restart' }
  | { readonly type: 'call'; readonly call: ToolCall }
  | {
      readonly type: 'end';
      readonly reason: FinishReason;
      readonly usage: ModelUsage | null;
      /** What the service wants back with the tool calls of this reply: opaque, 2^18 UTF-16 units at most. */
      readonly state?: string;
    };

/** Longest time that a busy service is believed. */
export const MAX_RETRY_AFTER_SECONDS = 86_400;

/**
 * No answer, or an incomplete one. The message is a sentence for the user, without key, URL, or sent or received
 * content.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /**
   * `deadline`: too slow. `busy`: overloaded, loading or restarting, so the same request may succeed later. `failed`: any
   * other failure of the model or the connection.
   */
  readonly kind: 'deadline' | 'busy' | 'failed';
  /**
   * Seconds until a busy service accepts requests again, 0 to `MAX_RETRY_AFTER_SECONDS`: as it says, or a few for one
   * that says only that it is unavailable. Null if it says neither, and for the other kinds.
   */
  readonly retryAfterSeconds: number | null;
  constructor(kind: ModelError['kind'], reason: string, retryAfterSeconds: number | null = null) {
    super(reason);
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type ModelCheck =
  | {
      readonly ok: true;
      /** What it has shown; absent for nothing. */
      readonly habits?: readonly ModelHabit[];
    }
  /** A sentence for the user, as in a ModelError. */
  | { readonly ok: false; readonly reason: string };

/**
 * Models that owners connect. Slow, so never called inside a unit of work.
 *
 * Contract (contract-tests/suites/language-model.ts):
 * - An answer is a sequence of text chunks, then complete tool calls, then one end with its reason and the token
 *   usage.
 * - Text is well-formed Unicode without NUL, also if a character is split between two chunks.
 * - Nothing is sent before the first read.
 * - An answer that is cut off is `failed`, after the chunks received.
 * - An answer that ended as `length` or `filtered` has no tool calls: the last one may be cut in a way that cannot be
 *   seen.
 * - A silence of more than `idleMs` is `deadline`, before the first chunk and between two.
 * - An answer that has not ended after `totalMs` is `deadline`, even if it is still active.
 * - More than `maxBytes` are `failed`.
 * - A rejection by the service is `failed`, with a reason that contains neither the key nor sent or received content.
 * - A rejection of a busy service is `busy`, with the seconds after which it accepts requests again, if it says so.
 * - If the consumer stops reading, the request to the model ends within a second, even while nothing arrives. A
 *   pending read then resolves as done.
 * - `check` is ok once a model begins to answer, and returns the reason if it does not.
 * - `close` makes a current answer, and every later one, reject with UnavailableError.
 */
export interface LanguageModel {
  /** Rejects with ModelError at the read in which it happens. UnavailableError: this service is closing. */
  answer(request: ModelRequest): AsyncIterable<ModelEvent>;
  /**
   * Requests a single word as real requests do, with a system message, a stream and a tool, and waits until the answer
   * begins, `timeMs` at most. The habits of the endpoint are found out again. UnavailableError: this service is closing.
   */
  check(endpoint: ModelEndpoint, timeMs: number): Promise<ModelCheck>;
  close(): Promise<void>;
}

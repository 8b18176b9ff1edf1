/** Where a model is reached: any service that speaks the chat completions of OpenAI. */
export interface ModelEndpoint {
  /** http or https, in the normal form of the WHATWG URL standard, without credentials, query and fragment. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; visible ASCII. Null where the service asks for none. */
  readonly key: string | null;
  /** 0 to 2; null leaves it to the service. */
  readonly temperature: number | null;
  /** Whose word the address rests on: the operator's own may be anywhere, an owner's only where owners may go. */
  readonly chosenBy: 'owner' | 'operator';
}

/** A use of a tool that a model asks for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: meant to be a JSON object, and not checked. */
  readonly arguments: string;
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
    }
  /** What came of a call. */
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
  /** Asks for one JSON object; what comes is not checked. */
  readonly jsonOnly?: boolean;
  /** The longest silence, that before the first byte included. Time in which nobody draws is not counted. */
  readonly idleMs: number;
  /** From the first draw to the end. */
  readonly totalMs: number;
  /** Of the answer as it comes over the wire. */
  readonly maxBytes: number;
}

export interface ModelUsage {
  readonly promptTokens: number;
  readonly answerTokens: number;
}

/** Why an answer ended: it was complete, too long, about to use tools, or held back by the service. */
export type EndReason = 'stop' | 'length' | 'tools' | 'filtered';

export type ModelEvent =
  /** The next piece, never empty. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'end'; readonly reason: EndReason; readonly usage: ModelUsage | null };

/**
 * No answer, or none to its end. The message is a sentence for a person: it holds no key, no address and nothing of
 * what was sent or came back.
 */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  /** `deadline`: too slow. `failed`: anything else that the model or the way to it did. */
  readonly kind: 'deadline' | 'failed';
  constructor(kind: ModelFailure['kind'], reason: string) {
    super(reason);
    this.kind = kind;
  }
}

export type ModelCheck =
  | { readonly ok: true }
  /** A sentence for a person, as that of a ModelFailure. */
  | { readonly ok: false; readonly reason: string };

/**
 * Models that owners connect. Slow, so never called inside a unit of work.
 *
 * Contract (contract-tests/suites/language-model.ts):
 * - An answer comes as pieces of text that joined are the whole, then calls of tools, each whole, then one end with its reason and what it used.
 * - Text is well-formed Unicode without NUL, also where a character is cut between two pieces.
 * - Nothing begins before it is drawn from.
 * - An answer that stops before its end is `failed`, after the pieces that came.
 * - A silence of more than `idleMs` is `deadline`, before the first piece and between two.
 * - What is not ended after `totalMs` is `deadline`, however lively it is.
 * - More than `maxBytes` are `failed`.
 * - A service that refuses is `failed`, with a reason that holds neither the key nor what was sent or answered.
 * - Whoever stops drawing ends the request to the model within a second, also while nothing comes; a draw under way is then done.
 * - `check` is ok once a model begins to answer, and gives the reason when it does not.
 * - `close` makes an answer under way, and every later one, reject with PortFailure.
 */
export interface LanguageModel {
  /** Rejects, at the draw in which it happens, with ModelFailure; PortFailure: this service is closing. */
  answer(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** Asks for a word and waits until its answer begins, `timeMs` at most. PortFailure: this service is closing. */
  check(endpoint: ModelEndpoint, timeMs: number): Promise<ModelCheck>;
  close(): Promise<void>;
}

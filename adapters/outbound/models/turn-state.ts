import type { ModelEndpoint } from '../../../ports/language-model.ts';
import { keyOf } from './habit-memory.ts';
import { at, stringOf } from './json-fields.ts';

/** Limit of the state of one reply, in UTF-16 units. A longer one is not kept. */
const MAX_STATE_LENGTH = 2 ** 18;
const MAX_DETAILS = 1_000;

/** What some services want back with the tool calls of a reply, as they sent it. */
export interface TurnState {
  readonly reasoningContent: string;
  readonly reasoningDetails: readonly unknown[];
  /** Of each call, in order. */
  readonly extras: readonly unknown[];
}

/** Collects the state of a reply, chunk by chunk. */
export class TurnStateCollector {
  #content = '';
  #details: unknown[] = [];
  #isTooLong = false;

  take(delta: unknown): void {
    this.#content += stringOf(at(delta, 'reasoning_content'));
    const details = at(delta, 'reasoning_details');
    if (Array.isArray(details)) this.#details.push(...(details as unknown[]));
    if (this.#content.length <= MAX_STATE_LENGTH && this.#details.length <= MAX_DETAILS) return;
    this.#isTooLong = true;
    [this.#content, this.#details] = ['', []];
  }

  /** The state as opaque text, for this endpoint only; undefined if there is none, or too much. */
  sealed(endpoint: ModelEndpoint, extras: readonly unknown[]): string | undefined {
    const hasExtras = extras.some((extra) => extra !== undefined);
    const isEmpty = this.#content === '' && this.#details.length === 0 && !hasExtras;
    if (isEmpty || this.#isTooLong) return undefined;
    const state: TurnState = {
      reasoningContent: this.#content.toWellFormed(),
      reasoningDetails: this.#details,
      extras: extras.map((extra) => extra ?? null),
    };
    const text = JSON.stringify({ of: keyOf(endpoint), ...state }).replaceAll('\\u0000', '');
    return text.length > MAX_STATE_LENGTH ? undefined : text;
  }
}

/** The state that belongs to an endpoint; undefined for that of another one. */
export function stateFor(endpoint: ModelEndpoint, text: string | undefined): TurnState | undefined {
  if (text === undefined) return undefined;
  const state = JSON.parse(text) as TurnState & { readonly of: string };
  return state.of === keyOf(endpoint) ? state : undefined;
}

import type { FinishReason } from '../../../ports/language-model.ts';
import { brokenOff, withheld, type ModelFailure } from './failures.ts';

/**
 * Why an answer may end without having failed, as services spell it. A Map, because the key is external: in an object
 * `constructor` would select an inherited property.
 */
const GOOD_ENDS = new Map<string, FinishReason>([
  ...named('stop', 'stop', 'stop_sequence', 'end_turn', 'end', 'eos', 'eos_token', 'complete'),
  ...named('stop', 'completed'),
  ...named('tools', 'tool_calls', 'tool_call', 'tool_use', 'function_call', 'function_calls'),
  ...named('length', 'length', 'max_tokens', 'max_output_tokens', 'max_completion_tokens'),
  ...named('length', 'max_length', 'model_length', 'token_limit', 'limit'),
  ...named('length', 'model_context_window_exceeded', 'context_length_exceeded'),
  ...named('filtered', 'content_filter', 'content_filtered'),
]);

/** Ends by which a service withholds the rest of an answer. */
const WITHHELD = /safety|refusal|recitation|blocklist|prohibited|spii|sensitive|policy|moderation/;

function* named(
  reason: FinishReason,
  ...spellings: readonly string[]
): Iterable<readonly [string, FinishReason]> {
  for (const spelling of spellings) yield [spelling, reason];
}

/**
 * The end that a chunk announces; undefined if it announces none: null, an empty text or the text `null` are sent with
 * every chunk by some services. Any other end is a failure.
 */
export function finishReasonOf(sent: unknown): FinishReason | ModelFailure | undefined {
  if (typeof sent !== 'string') return undefined;
  const reason = sent.trim().toLowerCase();
  if (reason === '' || reason === 'null' || reason === 'none') return undefined;
  const good = GOOD_ENDS.get(reason);
  if (good) return good;
  return WITHHELD.test(reason) ? withheld() : brokenOff();
}

import type { ModelMessage, ModelTool, ToolCall } from '../../ports/language-model.ts';
import { truncateToTokens, estimateTokens } from '../models/index.ts';

/** One model reply with its tool calls and their results. */
export interface AgentStep {
  readonly text: string;
  /** What the service of the model wants back with it. */
  readonly state?: string;
  readonly calls: readonly { readonly call: ToolCall; readonly result: string }[];
}

/** The transcript of a run. */
export interface AgentTranscript {
  readonly system: string;
  readonly history: readonly ModelMessage[];
  readonly message: string;
  /** Context sent with the message. */
  readonly data: string;
  readonly rounds: readonly AgentStep[];
}

/** Token overhead per message. */
const FRAME_TOKENS = 12;
/** Tokens that remain of a shortened old part. */
const STUB_TOKENS = 60;
const LEFT_OUT = '\n(The rest is left out for lack of room. Use the tool again to see it.)';
const NO_ARGUMENTS = '{}';

/** Share of the context window reserved for the next reply. */
const ANSWER_PART = 0.25;
const MAX_ANSWER_TOKENS = 4_096;
/** Minimum token budget besides rules and tools: a message, a result and an answer. */
export const MIN_TOKENS = 700;

/** The token budget for the transcript. */
export function tokenBudget(contextTokens: number, tools: readonly ModelTool[]): number {
  const answer = Math.min(MAX_ANSWER_TOKENS, Math.floor(contextTokens * ANSWER_PART));
  return contextTokens - answer - estimateTokens(JSON.stringify(tools));
}

/**
 * Fits the transcript into a token budget. Old results are shortened first, then the earlier conversation is dropped,
 * then old steps. The latest step and the owner's message are shortened last.
 */
export function fitToTokenBudget(talk: AgentTranscript, capacity: number): ModelMessage[] {
  let { history, message, data } = talk;
  let rounds = talk.rounds;
  const over = () => tokensOf({ system: talk.system, history, message, data, rounds }) - capacity;
  const latest = rounds.length - 1;
  for (let i = 0; i < latest && over() > 0; i++)
    rounds = changed(rounds, i, (round) => shortened(round, STUB_TOKENS));
  while (history.length > 0 && over() > 0) history = history.slice(2);
  for (let i = 0; i < latest && over() > 0; i++) rounds = changed(rounds, i, withoutWords);
  while (rounds.length > 1 && over() > 0) rounds = rounds.slice(1);
  if (over() > 0 && data !== '')
    data = truncateToTokens(data, Math.max(STUB_TOKENS, estimateTokens(data) - over() - 1));
  const last = rounds.length - 1;
  if (over() > 0 && last >= 0) rounds = changed(rounds, last, (round) => fittedIn(round, over()));
  if (over() > 0 && last >= 0) rounds = changed(rounds, last, withoutWords);
  // A service may reject the reply without its state, but so it would one that is too long.
  if (over() > 0 && last >= 0) rounds = changed(rounds, last, withoutState);
  if (over() > 0)
    message = truncateToTokens(
      message,
      Math.max(STUB_TOKENS, estimateTokens(message) - over() - 1),
    );
  if (over() > 0) data = '';
  return messagesOf({ system: talk.system, history, message, data, rounds });
}

const changed = (
  rounds: readonly AgentStep[],
  place: number,
  change: (round: AgentStep) => AgentStep,
): readonly AgentStep[] => rounds.map((round, i) => (i === place ? change(round) : round));

const shortened = (round: AgentStep, tokens: number): AgentStep => ({
  ...round,
  calls: round.calls.map(({ call, result }) => ({ call, result: cutResult(result, tokens) })),
});

const cutResult = (result: string, tokens: number): string =>
  estimateTokens(result) <= tokens ? result : `${truncateToTokens(result, tokens)}${LEFT_OUT}`;

/** Shortens the results of a step to equal shares of a smaller budget. */
function fittedIn(round: AgentStep, less: number): AgentStep {
  const complete = round.calls.reduce((sum, { result }) => sum + estimateTokens(result), 0);
  const each = Math.floor((complete - less) / round.calls.length) - estimateTokens(LEFT_OUT) - 1;
  return shortened(round, Math.max(STUB_TOKENS, each));
}

/** Long arguments and long text of the model itself. */
const withoutWords = (round: AgentStep): AgentStep => ({
  ...round,
  text: truncateToTokens(round.text, STUB_TOKENS),
  calls: round.calls.map(({ call, result }) => ({
    call:
      estimateTokens(call.arguments) > STUB_TOKENS ? { ...call, arguments: NO_ARGUMENTS } : call,
    result: cutResult(result, STUB_TOKENS),
  })),
});

const withoutState = ({ state: _, ...round }: AgentStep): AgentStep => round;

export const tokensOf = (talk: AgentTranscript): number =>
  messagesOf(talk).reduce((sum, message) => sum + FRAME_TOKENS + costOf(message), 0);

const costOf = (message: ModelMessage): number =>
  estimateTokens(message.content) +
  (message.role === 'assistant'
    ? (message.toolCalls ?? []).reduce(
        (sum, { name, arguments: given }) => sum + FRAME_TOKENS + estimateTokens(name + given),
        estimateTokens(message.state ?? ''),
      )
    : 0);

const messagesOf = ({
  system,
  history,
  message,
  data,
  rounds,
}: AgentTranscript): ModelMessage[] => [
  { role: 'system', content: system },
  ...history,
  { role: 'user', content: message + data },
  ...rounds.flatMap(({ text, calls, state }): ModelMessage[] => [
    {
      role: 'assistant',
      content: text,
      toolCalls: calls.map(({ call }) => call),
      ...(state !== undefined && { state }),
    },
    ...calls.map(({ call, result }): ModelMessage => {
      return { role: 'tool', callId: call.id, content: result };
    }),
  ]),
];

import {
  MODEL_HABITS,
  type ModelEndpoint,
  type ModelHabit,
  type ModelMessage,
  type ModelRequest,
} from '../../../ports/language-model.ts';
import { stateFor } from './turn-state.ts';

/**
 * The chat completions URL of a service. A base without a path gets the usual `/v1`; any other path is used as it is,
 * with or without `chat/completions` at its end.
 */
export const completionsUrl = (baseUrl: string): URL => endpointUrl(baseUrl, 'chat/completions');

/** The URL of the service's list of models. */
export const modelsUrl = (baseUrl: string): URL => endpointUrl(baseUrl, 'models');

function endpointUrl(baseUrl: string, name: string): URL {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  url.pathname = `${path === '' ? '/v1' : path}/${name}`;
  return url;
}

/** The habits that a request would meet: what it uses, by the name of the habit of not supporting it. */
export function testedBy(request: ModelRequest, habits: ReadonlySet<ModelHabit>): ModelHabit[] {
  const { endpoint, messages, tools = [], jsonOnly = false } = request;
  const used: Partial<Record<ModelHabit, boolean>> = {
    no_streaming: true,
    no_usage: !habits.has('no_streaming'),
    no_system_role: messages.some(({ role }) => role === 'system'),
    no_tools: tools.length > 0,
    no_json_mode: jsonOnly,
    no_temperature: endpoint.temperature !== null,
    no_state: messages.some(
      (message) => message.role === 'assistant' && stateFor(endpoint, message.state) !== undefined,
    ),
  };
  return MODEL_HABITS.filter((habit) => used[habit] === true && !habits.has(habit));
}

/** The request as JSON, without what the service does not support. */
export function toRequestBody(request: ModelRequest, habits: ReadonlySet<ModelHabit>): string {
  const { endpoint, messages, tools = [], jsonOnly = false } = request;
  const { temperature } = endpoint;
  const isStreamed = !habits.has('no_streaming');
  const sent = habits.has('no_system_role') ? withoutSystemRole(messages) : messages;
  const usesState = !habits.has('no_state');
  return JSON.stringify({
    model: endpoint.model,
    messages: sent.map((message) => messageOf(message, usesState ? endpoint : undefined)),
    stream: isStreamed,
    ...(isStreamed && !habits.has('no_usage') && { stream_options: { include_usage: true } }),
    ...(temperature !== null && !habits.has('no_temperature') && { temperature }),
    ...(jsonOnly && !habits.has('no_json_mode') && { response_format: { type: 'json_object' } }),
    ...(tools.length > 0 &&
      !habits.has('no_tools') && {
        tools: tools.map((each) => ({ type: 'function', function: each })),
      }),
  });
}

/** The rules before the first message of the user. */
function withoutSystemRole(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const rules = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const others = messages.filter(({ role }) => role !== 'system');
  const [first] = others;
  if (first?.role !== 'user') return [{ role: 'user', content: rules.join('\n\n') }, ...others];
  return [{ role: 'user', content: [...rules, first.content].join('\n\n') }, ...others.slice(1)];
}

/** @param endpoint that takes back the state of a reply */
function messageOf(
  message: ModelMessage,
  endpoint: ModelEndpoint | undefined,
): Readonly<Record<string, unknown>> {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.callId, content: message.content };
  const { role, content } = message;
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  if (message.role !== 'assistant' || calls.length === 0) return { role, content };
  const state = endpoint && stateFor(endpoint, message.state);
  return {
    role,
    content,
    ...(state && state.reasoningContent !== '' && { reasoning_content: state.reasoningContent }),
    ...(state &&
      state.reasoningDetails.length > 0 && { reasoning_details: state.reasoningDetails }),
    tool_calls: calls.map((call, i) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
      ...(isGiven(state?.extras[i]) && { extra_content: state?.extras[i] }),
    })),
  };
}

const isGiven = (extra: unknown): boolean => extra !== undefined && extra !== null;

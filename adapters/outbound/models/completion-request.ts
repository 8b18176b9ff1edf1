import type { ModelMessage, ModelRequest } from '../../../ports/language-model.ts';

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

/** The request as JSON. Not every service supports the option for usage. */
export function toRequestBody(request: ModelRequest, withUsage: boolean): string {
  const { endpoint, messages, tools = [], jsonOnly = false } = request;
  return JSON.stringify({
    model: endpoint.model,
    messages: messages.map(messageOf),
    stream: true,
    ...(withUsage && { stream_options: { include_usage: true } }),
    ...(endpoint.temperature !== null && { temperature: endpoint.temperature }),
    ...(jsonOnly && { response_format: { type: 'json_object' } }),
    ...(tools.length > 0 && {
      tools: tools.map((each) => ({ type: 'function', function: each })),
    }),
  });
}

function messageOf(message: ModelMessage): Readonly<Record<string, unknown>> {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.callId, content: message.content };
  const { role, content } = message;
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  if (calls.length === 0) return { role, content };
  return {
    role,
    content,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  };
}

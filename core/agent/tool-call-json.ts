import type { ToolCall } from '../../ports/language-model.ts';

const NAME = /^[\w-]{1,64}$/;

/**
 * A tool call in a form that services accept when it is sent back. Some parse the arguments and reject non-objects,
 * or require one result per call id.
 */
export function normalizeToolCall(call: ToolCall, ids: Set<string>): ToolCall {
  const id = ids.has(call.id) ? `${call.id}_${ids.size}` : call.id;
  ids.add(id);
  const name = NAME.test(call.name) ? call.name : 'unknown';
  return { id, name, arguments: parseJsonObject(call.arguments) ? call.arguments : '{}' };
}

/** The JSON object in a text; undefined if it is another value or invalid. */
export function parseJsonObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

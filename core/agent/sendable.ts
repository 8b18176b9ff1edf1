import type { ToolCall } from '../../ports/language-model.ts';

const NAME = /^[\w-]{1,64}$/;

/**
 * A call as services take it back: some read the arguments, and fail where these are no object, or look for the one
 * result of an id.
 */
export function sendable(call: ToolCall, ids: Set<string>): ToolCall {
  const id = ids.has(call.id) ? `${call.id}_${ids.size}` : call.id;
  ids.add(id);
  const name = NAME.test(call.name) ? call.name : 'unknown';
  return { id, name, arguments: objectIn(call.arguments) ? call.arguments : '{}' };
}

/** The object that a JSON text is; nothing where it is something else, or no JSON. */
export function objectIn(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

import { chunk, streaming, type ModelService } from '../../fake-model-server.ts';

interface Message {
  readonly role: string;
  readonly content: string | null;
}

/** A call of a tool, or text, made of what the tools have answered so far. */
export type Move = (results: readonly string[]) => ToolCall | string;
interface ToolCall {
  readonly tool: string;
  readonly given: object;
}

/** Lets the model drive the agent by a script, and find the ids of documents as a model does: in what the tools answer. */
export function scriptAgent(model: ModelService, moves: readonly Move[]): void {
  model.plays((response, { body }) => {
    response.writeHead(200, streaming);
    const messages = body.messages as readonly Message[];
    const isAgent = messages[0]?.content?.startsWith('You are the agent');
    if (!isAgent) return void response.end(chunk({ content: 'ready' }, 'stop'));
    const results = messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content ?? '');
    const move = moves[Math.min(results.length, moves.length - 1)]?.(results) ?? '';
    if (typeof move === 'string') return void response.end(chunk({ content: move }, 'stop'));
    const call = { name: move.tool, arguments: JSON.stringify(move.given) };
    const id = `call-${results.length}`;
    response.write(chunk({ tool_calls: [{ index: 0, id, type: 'function', function: call }] }));
    response.end(chunk({}, 'tool_calls'));
  });
}

/** The id of a document in the result of a search. */
export const objectIn = (result: string, name: string): string =>
  result.split('\n').flatMap((line) => {
    const [, id, rest] = /^Object (\S+): (.*)$/.exec(line) ?? [];
    return id !== undefined && rest?.startsWith(name) ? [id] : [];
  })[0] ?? '';

/** The id of the folder of a name, in the result of a search that found a document in it. */
export const folderIn = (result: string, name: string): string =>
  result
    .split(', in folder ')
    .map((rest) => [rest.slice(0, rest.indexOf(' ')), rest.slice(rest.indexOf(' ') + 1)] as const)
    .find(([, named]) => named.startsWith(`${name})`))?.[0] ?? '';

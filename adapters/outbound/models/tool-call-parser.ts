import type { ToolCall } from '../../../ports/language-model.ts';
import { tooLong } from './failures.ts';
import { at, stringOf } from './json-fields.ts';
import { wholeArguments } from './tool-arguments.ts';

const MAX_TOOL_CALLS = 128;

interface CallPieces {
  id: string;
  name: string;
  /** As sent, in order. */
  readonly pieces: string[];
  /** What the service wants back with it, as it came. */
  extra: unknown;
}

/** Assembles the tool calls of an answer, which are sent whole or in pieces. */
export class ToolCallParser {
  readonly #calls: CallPieces[] = [];
  /** The call to which further pieces with an index belong. */
  readonly #open = new Map<number, CallPieces>();

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** The `tool_calls` of a chunk. */
  take(sent: unknown): void {
    if (Array.isArray(sent)) for (const [place, piece] of sent.entries()) this.#add(piece, place);
  }

  /**
   * The calls, in order. A call without a name, or with arguments that are no JSON object, is for the model to correct:
   * no tool has that name or accepts them.
   */
  calls(): readonly ToolCall[] {
    return this.#calls.map(({ id, name, pieces }, i) => ({
      id: id === '' ? `call_${i}` : id,
      name: name === '' ? 'unknown' : name,
      arguments: wholeArguments(pieces).toWellFormed(),
    }));
  }

  /** What the service wants back with each call; undefined for nothing. */
  extras(): readonly unknown[] {
    return this.#calls.map(({ extra }) => extra);
  }

  #add(piece: unknown, place: number): void {
    const [index, id] = [at(piece, 'index'), stringOf(at(piece, 'id'))];
    const number = typeof index === 'number' ? index : place;
    const delta = at(piece, 'function');
    const name = stringOf(at(delta, 'name'));
    const given = argumentsOf(at(delta, 'arguments'));
    if (id === '' && name === '' && given === '') return;
    const call = this.#continued(number, id, name) ?? this.#begin(number);
    call.id ||= id;
    // The name is sent complete, in chunks, or complete with every chunk of the arguments.
    if (name !== call.name) call.name += name;
    call.extra ??= at(piece, 'extra_content') ?? undefined;
    if (given !== '') call.pieces.push(given);
  }

  /**
   * The call that a piece continues. Some services send the same index for every call, or none, and no id: another id
   * means another call, and so does a name after complete arguments. A piece of arguments alone under an unknown index
   * continues the last call.
   */
  #continued(number: number, id: string, name: string): CallPieces | undefined {
    const open = this.#open.get(number);
    if (!open) return id === '' && name === '' ? this.#calls.at(-1) : undefined;
    const isSameId = id === '' || open.id === '' || open.id === id;
    const isSameCall = id !== '' || name === '' || !isWhole(open.pieces);
    return isSameId && isSameCall ? open : undefined;
  }

  #begin(number: number): CallPieces {
    if (this.#calls.length === MAX_TOOL_CALLS) throw tooLong();
    const call = { id: '', name: '', pieces: [], extra: undefined };
    this.#calls.push(call);
    this.#open.set(number, call);
    return call;
  }
}

const argumentsOf = (given: unknown): string =>
  typeof given === 'object' && given !== null ? JSON.stringify(given) : stringOf(given);

function isWhole(pieces: readonly string[]): boolean {
  // The end is checked first, since this runs for every chunk with a name.
  if (pieces.at(-1)?.trimEnd().endsWith('}') !== true) return false;
  try {
    JSON.parse(pieces.join(''));
    return true;
  } catch {
    return false;
  }
}

import type { ChatMessage } from '../../ports/conversations.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Kept } from './steps.ts';

/**
 * Messages of a session whose steps show an undo only while it is possible, and `undone` after it, with a redo while that
 * is possible. Both have the same id.
 */
export async function withUndoStates(
  { agentUndos }: Pick<Stores, 'agentUndos'>,
  sessionId: string,
  messages: readonly ChatMessage[],
  now: Instant,
): Promise<readonly ChatMessage[]> {
  const canBeUndone = ({ steps }: ChatMessage) => steps?.some(hasUndo) === true;
  if (!messages.some(canBeUndone)) return messages;
  const states = new Map((await agentUndos.statesOf(sessionId)).map((each) => [each.id, each]));
  const shown = (step: Kept): Kept => {
    if (!hasUndo(step)) return step;
    const { undo, ...rest } = step;
    const state = states.get(String(undo));
    if (!state) return rest;
    const isOpen = state.expiresAt !== null && state.expiresAt > now;
    if (state.undoneAt !== null) return { ...rest, undone: true, ...(isOpen && { redo: undo }) };
    return isOpen ? step : rest;
  };
  return messages.map((message) =>
    canBeUndone(message)
      ? { ...message, steps: message.steps && message.steps.map(shown) }
      : message,
  );
}

const hasUndo = (step: Kept): boolean => Object.hasOwn(step, 'undo');

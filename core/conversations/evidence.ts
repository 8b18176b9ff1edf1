import type { ChatMessage, ChatSession } from '../../ports/conversations.ts';
import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { passagesForModel, type PromptPassage } from '../answers/index.ts';
import { currentSettings } from '../settings/index.ts';

/** The input of a model besides the question. */
export interface Evidence {
  /** Best first. */
  readonly passages: readonly PromptPassage[];
  /** The conversation so far, in order; empty if the owner has disabled memory. */
  readonly earlier: readonly ChatMessage[];
}

/** Maximum number of earlier messages. */
const MAX_EARLIER_MESSAGES = 40;

export async function evidenceFor(
  stores: Pick<Stores, 'chats' | 'objects' | 'search' | 'settings' | 'texts'>,
  question: string,
  filter: SearchFilter,
  session: ChatSession | undefined,
): Promise<Evidence> {
  const { chatMemory } = await currentSettings(stores);
  const earlier =
    session && chatMemory ? await stores.chats.messages(session.id, MAX_EARLIER_MESSAGES) : [];
  const passages = await passagesForModel(stores, question, filter);
  const before = earlier.filter(({ role }) => role === 'user').at(-1);
  return {
    // "And when does it end?" refers to the previous question.
    passages:
      passages.length > 0 || !before
        ? passages
        : await passagesForModel(stores, `${before.content}\n${question}`, filter),
    earlier,
  };
}

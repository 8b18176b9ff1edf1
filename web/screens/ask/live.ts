import { signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { noteChange } from '../../data/live.ts';
import type { NamedDocument } from '../../state/ask-about.ts';
import { beginZoneChat, isZoneChat, rememberPlainChat } from '../../state/zone-chats.ts';
import { whileUnlocked } from '../../state/zone-token.ts';
import { streamAnswer } from './answering.ts';
import {
  isRunning,
  newExchange,
  type EngineChoice,
  type Exchange,
} from '../conversation/exchange.ts';

/** The questions of this tab since a conversation was opened. They go on while another screen is shown. */
export interface LiveChat {
  /** Undefined until the conversation has been created. */
  readonly chatId: string | undefined;
  /** The exchanges that were stored before: those after it are the live ones. */
  readonly storedBefore: number;
  readonly exchanges: readonly Exchange[];
}

export interface NewQuestion {
  readonly chatId: string | undefined;
  readonly question: string;
  readonly folderId: string | null;
  readonly about: readonly NamedDocument[];
  readonly engine?: EngineChoice;
  /** How many exchanges of the conversation are stored. */
  readonly stored: number;
  /** Asked inside the hidden zone. */
  readonly isInZone: boolean;
}

const NOTHING: LiveChat = { chatId: undefined, storedBefore: 0, exchanges: [] };
const chats = signal<readonly LiveChat[]>([]);
const controllers = new Map<string, AbortController>();

export const liveChat = (chatId: string | undefined): LiveChat | undefined =>
  chats.value.find((chat) => chat.chatId === chatId);

/** The exchange that is being answered. */
export const runningIn = (chatId: string | undefined): Exchange | undefined =>
  liveChat(chatId)?.exchanges.find(isRunning);

const isPlain = (exchange: Exchange): boolean => !isRunning(exchange);

/** Forgets what the service has stored by now. What is being answered stays. */
export function forgetAnswered(chatId: string | undefined): void {
  chats.value = chats.value.filter(
    (chat) => chat.chatId !== chatId || !chat.exchanges.every(isPlain),
  );
}

/** Forgets a question that is sent again, if nothing came of it. */
export function forgetFailed(id: string): void {
  chats.value = chats.value.map((chat) => ({
    ...chat,
    exchanges: chat.exchanges.filter(
      (each) => each.id !== id || each.text !== '' || isRunning(each),
    ),
  }));
}

/** Stops the answer. What came so far stays. */
export function stop(chatId: string | undefined): void {
  const running = runningIn(chatId);
  if (running) controllers.get(running.id)?.abort();
}

/**
 * Asks a question, in a new conversation if none is named; `created` gets its id before the answer begins.
 */
export async function ask(input: NewQuestion, created: (chatId: string) => void): Promise<void> {
  const controller = new AbortController();
  const exchange = newExchange(input.question, input.about);
  controllers.set(exchange.id, controller);
  add(input, exchange);
  const report = (change: (exchange: Exchange) => Exchange) => update(exchange.id, change);
  let chatId = input.chatId;
  try {
    const mayBeHidden = input.isInZone || chatId !== undefined;
    const unlocked = mayBeHidden ? whileUnlocked() : undefined;
    unlocked?.signal.addEventListener('abort', () => forgetAtLock(exchange.id), { once: true });
    if (chatId === undefined) {
      chatId = await createChat(input, controller.signal);
      nameNew(exchange.id, chatId);
      created(chatId);
    }
    const { question: text, folderId, about, engine = 'auto' } = input;
    const question = { chatId, text, folderId, about, engine, isInZone: isZoneChat(chatId) };
    await streamAnswer(question, report, controller.signal);
  } catch (error) {
    if (controller.signal.aborted) report((each) => ({ ...each, phase: 'stopped' }));
    else report((each) => ({ ...each, phase: 'failed', error }));
  } finally {
    controllers.delete(exchange.id);
    noteChange('chats');
  }
}

/** Inside the hidden zone it is hidden from the start, and goes when the zone locks. */
async function createChat(
  { folderId, isInZone }: NewQuestion,
  signal: AbortSignal,
): Promise<string> {
  const body = {
    kind: 'ask' as const,
    ...(folderId !== null && { collection_id: folderId }),
    ...(isInZone && { is_hidden: true }),
  };
  const create = async () => (await reply(api.POST('/v1/chats', { body, signal }))).id;
  if (isInZone) return beginZoneChat(create);
  const id = await create();
  rememberPlainChat(id);
  return id;
}

function add({ chatId, stored }: NewQuestion, exchange: Exchange): void {
  const before = liveChat(chatId) ?? { ...NOTHING, chatId, storedBefore: stored };
  const after = { ...before, exchanges: [...before.exchanges, exchange] };
  chats.value = [...chats.value.filter((chat) => chat.chatId !== chatId), after];
}

function update(id: string, change: (exchange: Exchange) => Exchange): void {
  chats.value = chats.value.map((chat) =>
    chat.exchanges.some((each) => each.id === id)
      ? { ...chat, exchanges: chat.exchanges.map((each) => (each.id === id ? change(each) : each)) }
      : chat,
  );
}

function nameNew(id: string, chatId: string): void {
  chats.value = chats.value.map((chat) =>
    chat.exchanges.some((each) => each.id === id) ? { ...chat, chatId } : chat,
  );
}

/** An answer that was begun while the hidden zone was open does not stay in memory after it. */
function forgetAtLock(id: string): void {
  controllers.get(id)?.abort();
  chats.value = chats.value.filter((chat) => chat.exchanges.every((each) => each.id !== id));
}

import { signal } from '@preact/signals';
import { noteChange } from '../../data/live.ts';
import type { NamedDocument } from '../../state/ask-about.ts';
import {
  confirmOf,
  isRunning,
  newErrand,
  newPart,
  replaceLast,
  type Confirm,
  type Errand,
  type MessageRole,
} from './errand.ts';
import { streamReply } from './running.ts';

/** The messages of this tab since a conversation was opened. Runs go on while another screen is shown. */
export interface LiveChat {
  /** Undefined until the service has named it. */
  readonly chatId: string | undefined;
  /** The messages that were stored before: those after it are the live ones. */
  readonly storedBefore: number;
  readonly errands: readonly Errand[];
}

export interface NewErrand {
  readonly chatId: string | undefined;
  readonly message: string;
  readonly about: readonly NamedDocument[];
  readonly role: MessageRole | undefined;
  /** How many messages to the agent are stored. */
  readonly stored: number;
}

const chats = signal<readonly LiveChat[]>([]);
const controllers = new Map<string, AbortController>();

export const liveChat = (chatId: string | undefined): LiveChat | undefined =>
  chats.value.find((chat) => chat.chatId === chatId);

export const runningIn = (chatId: string | undefined): Errand | undefined =>
  liveChat(chatId)?.errands.find(isRunning);

/** Whether only this tab knows of it: it runs, or can still be decided on. */
const isPending = (errand: Errand): boolean =>
  isRunning(errand) || (confirmOf(errand)?.endsAt ?? 0) > Date.now();

/** Forgets what the service has stored by now. */
export function forgetDone(chatId: string | undefined): void {
  chats.value = chats.value.filter(
    (chat) => chat.chatId !== chatId || chat.errands.some(isPending),
  );
}

/** Forgets a message that is sent again, if nothing came of it. */
export function forgetFailed(id: string): void {
  const isEmpty = ({ parts }: Errand) =>
    parts.every(({ steps, text }) => steps.length === 0 && text === '');
  chats.value = chats.value.map((chat) => ({
    ...chat,
    errands: chat.errands.filter((each) => each.id !== id || isRunning(each) || !isEmpty(each)),
  }));
}

/** Stops the run. What was done stays. */
export function stop(chatId: string | undefined): void {
  const running = runningIn(chatId);
  if (running) controllers.get(running.id)?.abort();
}

/** Sends a message, in a new conversation if none is named; `created` gets its id before the first step. */
export async function begin(input: NewErrand, created: (chatId: string) => void): Promise<void> {
  const { chatId, message, about, role } = input;
  const errand = newErrand(message, about, role ?? null);
  add(input, errand);
  const body = {
    message,
    ...(chatId !== undefined && { session_id: chatId }),
    ...(role !== undefined && { role: role.slug }),
    ...(about.length > 0 && { attachments: about.map(({ id }) => id) }),
  };
  await run(errand.id, '/v1/agent/chat', body, (id) => {
    if (chatId === undefined) {
      nameNew(errand.id, id);
      created(id);
    }
    // By then the conversation is named after its first message.
    noteChange('chats');
  });
}

/** A message that waits for a decision since before this tab was opened is live from then on, with those after it. */
export function adopt(chatId: string, stored: readonly Errand[], errandId: string): void {
  const at = stored.findIndex(({ id }) => id === errandId);
  const live = liveChat(chatId);
  if (at < 0 || live?.errands.some(({ id }) => id === errandId)) return;
  const errands = [...stored.slice(at, live?.storedBefore), ...(live?.errands ?? [])];
  chats.value = [
    ...chats.value.filter((chat) => chat.chatId !== chatId),
    { chatId, storedBefore: at, errands },
  ];
}

/** Allows or refuses the change that the agent waits for. The run goes on either way. */
export async function decide(
  errandId: string,
  { id }: Confirm,
  decision: 'allow' | 'refuse',
): Promise<void> {
  update(errandId, (errand) => ({
    ...errand,
    parts: [
      ...errand.parts.map(({ confirm: _decided, ...part }) => ({
        ...part,
        phase: 'complete' as const,
      })),
      newPart(errand.parts.at(-1)?.role ?? null),
    ],
  }));
  await run(errandId, '/v1/agent/confirm', { confirm_id: id, decision }, () => undefined);
}

async function run(
  errandId: string,
  path: '/v1/agent/chat' | '/v1/agent/confirm',
  body: object,
  named: (chatId: string) => void,
): Promise<void> {
  const controller = new AbortController();
  controllers.set(errandId, controller);
  const report = (change: Parameters<typeof replaceLast>[1]) =>
    update(errandId, (errand) => replaceLast(errand, change));
  try {
    await streamReply(path, body, report, named, controller.signal);
  } catch (error) {
    if (controller.signal.aborted) report((part) => ({ ...part, phase: 'stopped' }));
    else report((part) => ({ ...part, phase: 'failed', error }));
  } finally {
    controllers.delete(errandId);
    noteChange('chats');
  }
}

function add({ chatId, stored }: NewErrand, errand: Errand): void {
  const before = liveChat(chatId) ?? { chatId, storedBefore: stored, errands: [] };
  const after = { ...before, errands: [...before.errands, errand] };
  chats.value = [...chats.value.filter((chat) => chat.chatId !== chatId), after];
}

function update(id: string, change: (errand: Errand) => Errand): void {
  chats.value = chats.value.map((chat) => ({
    ...chat,
    errands: chat.errands.map((each) => (each.id === id ? change(each) : each)),
  }));
}

function nameNew(id: string, chatId: string): void {
  chats.value = chats.value.map((chat) =>
    chat.errands.some((each) => each.id === id) ? { ...chat, chatId } : chat,
  );
}

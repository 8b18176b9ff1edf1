import type { ChatFilter, ChatKind, ChatMessage, ChatSession } from '../../ports/conversations.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { redactHidden } from './redaction.ts';

export interface ChatDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'chats' | 'collections' | 'objects' | 'pinLock' | 'idempotency'>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export interface ChatView {
  readonly session: ChatSession;
  readonly messages: readonly ChatMessage[];
}

export interface ChatEdit {
  readonly title?: string;
  readonly pinned?: boolean;
  /** null removes the session from its folder. */
  readonly collectionId?: string | null;
}

/** Maximum length of a title given by the owner, in code points. */
export const MAX_TITLE_LENGTH = 300;
/** Maximum length of a message, in code points. */
export const MAX_QUESTION_LENGTH = 8_000;
/** Maximum number of messages returned; a longer session returns its latest. */
const MAX_MESSAGES = 1_000;
/** Title of a session without messages. */
export const UNTITLED = 'New chat';

export async function listChats(
  deps: ChatDeps,
  caller: Caller,
  input: ChatFilter & PageRequest,
): Promise<Page<ChatSession>> {
  const { limit, offset, ...filter } = input;
  return deps.uow.read(caller.scope, ({ chats }) => chats.page(filter, { limit, offset }));
}

/** The whole session. References to hidden objects are removed while the zone is locked. */
export async function getChat(deps: ChatDeps, caller: Caller, id: string): Promise<ChatView> {
  return deps.uow.read(caller.scope, (stores) => chatView(deps, stores, caller, id));
}

export async function createChat(
  deps: ChatDeps,
  caller: Caller,
  input: ChatEdit & { readonly kind?: ChatKind },
): Promise<ChatView> {
  const now = deps.clock.now();
  return deps.uow.write(caller.scope, async (stores) => {
    const collectionId = input.collectionId ?? null;
    await requireFolder(stores, collectionId);
    const session: ChatSession = {
      id: deps.random.uuid(),
      title: input.title ?? UNTITLED,
      kind: input.kind ?? 'ask',
      collectionId,
      pinned: input.pinned ?? false,
      hasDocumentText: false,
      createdAt: now,
      updatedAt: now,
    };
    await stores.chats.save(session);
    return saveResponse(stores, deps.clock, caller, { session, messages: [] });
  });
}

export async function editChat(
  deps: ChatDeps,
  caller: Caller,
  id: string,
  edit: ChatEdit,
): Promise<ChatView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const session = await findChat(stores, id);
    if (edit.collectionId !== undefined) await requireFolder(stores, edit.collectionId);
    await stores.chats.save({ ...session, ...edit, updatedAt: deps.clock.now() });
    return chatView(deps, stores, caller, id);
  });
}

export async function deleteChat(deps: ChatDeps, caller: Caller, id: string): Promise<void> {
  await deps.uow.write(caller.scope, async (stores) => {
    await findChat(stores, id);
    await stores.chats.remove(id);
  });
}

export async function findChat(stores: Pick<Stores, 'chats'>, id: string): Promise<ChatSession> {
  const session = await stores.chats.find(id);
  if (!session) throw notFound();
  return session;
}

/** A title made from the question: on one line, cut at a word. */
export function titleFrom(question: string): string {
  const line = question.replaceAll(/\s+/g, ' ').trim();
  const points = [...line];
  if (points.length <= 80) return line === '' ? UNTITLED : line;
  const cut = points.slice(0, 80).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > 40 ? cut.slice(0, space) : cut}…`;
}

async function chatView(
  deps: ChatDeps,
  stores: Pick<Stores, 'chats' | 'objects' | 'pinLock'>,
  caller: Caller,
  id: string,
): Promise<ChatView> {
  const session = await findChat(stores, id);
  const messages = await stores.chats.messages(id, MAX_MESSAGES);
  const zone = await zoneFor(deps, stores.pinLock, caller);
  return { session, messages: await redactHidden(stores, zone, messages) };
}

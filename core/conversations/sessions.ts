import type { ChatFilter, ChatKind, ChatSession } from '../../ports/conversations.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { hiddenLocked, zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { withConfirmations, type ShownMessage } from './confirmations.ts';
import { HIDDEN_ITSELF } from './held-objects.ts';
import { redactHidden } from './redaction.ts';
import { withUndoStates } from './undo-states.ts';

export interface ChatDeps extends ZoneDeps {
  readonly uow: UnitOfWork<
    | 'agentConfirmations'
    | 'agentUndos'
    | 'chats'
    | 'collections'
    | 'objects'
    | 'pinLock'
    | 'idempotency'
  >;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly random: RandomSource;
}

export interface ChatView {
  readonly session: ChatSession;
  readonly messages: readonly ShownMessage[];
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

/**
 * While the zone is locked, sessions that hold a hidden object are left out. With `hiddenOnly` those that were created as
 * hidden ones are listed.
 */
export async function listChats(
  deps: ChatDeps,
  caller: Caller,
  input: Pick<ChatFilter, 'kind' | 'pinned' | 'collectionId'> &
    PageRequest & { readonly hiddenOnly?: boolean },
): Promise<Page<ChatSession>> {
  const { limit, offset, hiddenOnly = false, ...filter } = input;
  return deps.uow.read(caller.scope, async ({ chats, pinLock }) => {
    const visibleOnly = (await zoneFor(deps, pinLock, caller)) === 'closed';
    if (visibleOnly && hiddenOnly) throw hiddenLocked();
    const held = hiddenOnly ? { holding: HIDDEN_ITSELF } : {};
    return chats.page({ ...filter, ...held, visibleOnly }, { limit, offset });
  });
}

/** The whole session. While the zone is locked, one that holds a hidden object is `not_found`. */
export async function getChat(deps: ChatDeps, caller: Caller, id: string): Promise<ChatView> {
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    return chatView(deps, stores, zone, await visibleChat(stores, zone, id));
  });
}

/** A hidden session does not exist for a caller while the zone is locked, even if it holds no hidden object. */
export async function createChat(
  deps: ChatDeps,
  caller: Caller,
  input: ChatEdit & { readonly kind?: ChatKind; readonly isHidden?: boolean },
): Promise<ChatView> {
  const now = deps.clock.now();
  return deps.uow.write(caller.scope, async (stores) => {
    const { isHidden = false, collectionId = null } = input;
    if (isHidden && (await zoneFor(deps, stores.pinLock, caller)) === 'closed')
      throw hiddenLocked();
    await requireFolder(stores, collectionId);
    const session: ChatSession = {
      id: deps.random.uuid(),
      title: input.title ?? UNTITLED,
      kind: input.kind ?? 'ask',
      collectionId,
      pinned: input.pinned ?? false,
      hasDocumentText: false,
      boundTo: bindingOf(caller.scope),
      createdAt: now,
      updatedAt: now,
    };
    await stores.chats.save(session);
    if (isHidden)
      await stores.chats.addObjects(session.id, [{ objectId: HIDDEN_ITSELF, isHidden }]);
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
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const session = await visibleChat(stores, zone, id);
    if (edit.collectionId !== undefined) await requireFolder(stores, edit.collectionId);
    const edited = { ...session, ...edit, updatedAt: deps.clock.now() };
    await stores.chats.save(edited);
    return chatView(deps, stores, zone, edited);
  });
}

export async function deleteChat(deps: ChatDeps, caller: Caller, id: string): Promise<void> {
  await deps.uow.write(caller.scope, async (stores) => {
    await visibleChat(stores, await zoneFor(deps, stores.pinLock, caller), id);
    // First, since a caller who is bound to folders reaches them through the session.
    await stores.agentUndos.removeOf(id);
    await stores.chats.remove(id);
  });
}

/** Regardless of the hidden zone: for a caller that has seen the session already. */
export async function findChat(stores: Pick<Stores, 'chats'>, id: string): Promise<ChatSession> {
  const session = await stores.chats.find(id);
  if (!session) throw notFound();
  return session;
}

/**
 * The session as the caller may see it. While the zone is locked, a session that holds a hidden object must be
 * indistinguishable from a missing one.
 */
export async function visibleChat(
  stores: Pick<Stores, 'chats'>,
  zone: Zone,
  id: string,
): Promise<ChatSession> {
  const session = await findChat(stores, id);
  if (zone === 'closed' && (await stores.chats.holdsHidden(id))) throw notFound();
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
  deps: Pick<ChatDeps, 'clock' | 'sealer'>,
  stores: Pick<Stores, 'agentConfirmations' | 'agentUndos' | 'chats' | 'objects'>,
  zone: Zone,
  session: ChatSession,
): Promise<ChatView> {
  const messages = await stores.chats.messages(session.id, MAX_MESSAGES);
  const current = await withUndoStates(stores, session.id, messages, deps.clock.now());
  const shown = await redactHidden(stores, zone, current);
  return { session, messages: await withConfirmations(deps, stores, zone, session.id, shown) };
}

/**
 * The binding of a session from now on. The answer to this caller may hold text of all folders that the caller sees, so
 * callers who see less must not read the session any more.
 */
export const bindingOf = ({ folderIds }: OwnerScope): ChatSession['boundTo'] => folderIds ?? null;

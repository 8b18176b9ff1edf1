import type { ChatAttachment, ChatMessage, ChatSession } from '../../ports/conversations.ts';
import { redactHidden } from '../conversations/index.ts';
import { resolveImportId } from './import-ids.ts';
import type { ArchiveItem, Part, Source, Target, TransferStores } from './part.ts';
import { messageShape, sessionShape, type ArchivedSession } from './records.ts';
import { ArchiveFormatError } from './shapes.ts';

const AT_ONCE = 200;

type ChatLine =
  | { readonly session: ArchivedSession; readonly message?: undefined }
  | { readonly message: ChatMessage; readonly session?: undefined };

/** Sessions, each followed by its messages in order. */
export const chatsPart: Part<ChatLine> = {
  name: 'chats',
  async *out(source) {
    for (const id of await sessionIds(source)) yield* sessionLines(source, id);
  },
  reader: () => {
    let above: ArchivedSession | undefined;
    let next = 0;
    return (sent) => {
      const line = (sent ?? {}) as { readonly session?: unknown; readonly message?: unknown };
      if (line.session !== undefined) {
        const session = sessionShape.read(line.session, 'session');
        if (new Set(session.messageIds).size < session.messageIds.length)
          throw new ArchiveFormatError('session.message_ids holds the same id twice');
        above = session;
        next = 0;
        return { session };
      }
      const message = messageShape.read(line.message, 'message');
      if (message.sessionId !== above?.id)
        throw new ArchiveFormatError('message.session_id is not the session above it');
      // From these ids an import knows which messages exist already.
      if (message.id !== above.messageIds[next++])
        throw new ArchiveFormatError('message.id is not the next of the ids of its session');
      return { message };
    };
  },
  needs: () => [],
  atOnce: AT_ONCE,
  importRecords: (target, lines) =>
    target.write(async (stores) => {
      for (const { session, message } of lines)
        if (session) target.session = await importSession(target, stores, session);
        else await importMessage(target, stores, message);
    }),
};

async function sessionIds({ deps, caller }: Source): Promise<readonly string[]> {
  return deps.uow.read(caller.scope, async ({ chats }) => {
    const ids: string[] = [];
    for (;;) {
      const { items } = await chats.page({}, { limit: AT_ONCE, offset: ids.length });
      ids.push(...items.map(({ id }) => id));
      if (items.length < AT_ONCE) return ids.reverse();
      await deps.scheduler.yield();
    }
  });
}

async function* sessionLines(source: Source, id: string): AsyncIterable<ArchiveItem> {
  const { deps, caller, zone } = source;
  const session = await deps.uow.read(caller.scope, async ({ chats }) => {
    const found = await chats.find(id);
    return found && { ...found, messageIds: await messageIds(chats, id) };
  });
  if (!session) return;
  yield { line: { session: sessionShape.write(session) }, counts: true };
  const { length } = session.messageIds;
  for (let offset = 0; offset < length; offset += AT_ONCE) {
    const limit = Math.min(AT_ONCE, length - offset);
    const messages = await deps.uow.read(caller.scope, async (stores) =>
      redactHidden(stores, zone, await stores.chats.messagesFrom(id, { limit, offset })),
    );
    for (const message of messages)
      yield { line: { message: messageShape.write(message) }, counts: false };
  }
}

async function messageIds(chats: TransferStores['chats'], id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const messages = await chats.messagesFrom(id, { limit: AT_ONCE, offset: ids.length });
    ids.push(...messages.map((message) => message.id));
    if (messages.length < AT_ONCE) return ids;
  }
}

/**
 * A session equals an existing one if the messages of one are a prefix of the other's. Then missing messages are
 * appended. A diverging session is imported as a new one.
 */
async function importSession(
  target: Target,
  { chats, collections }: TransferStores,
  archived: ArchivedSession,
): Promise<Target['session']> {
  const { messageIds: ids, ...session } = archived;
  const { tallies, moved, deps } = target;
  let known: readonly string[] = [];
  const { id, held } = await resolveImportId<ChatSession>(
    deps.digests,
    session,
    ids.join(' '),
    (input) => chats.find(input),
    async (there) => {
      known = await messageIds(chats, there.id);
      const both = Math.min(known.length, ids.length);
      return (
        there.createdAt === session.createdAt &&
        known.slice(0, both).every((it, i) => it === ids[i])
      );
    },
  );
  if (held) {
    const more = ids.length > known.length;
    const updatedAt = Math.max(held.updatedAt, session.updatedAt);
    if (more) await chats.save({ ...held, updatedAt, hasDocumentText: true });
    tallies.chats[more ? 'merged' : 'unchanged']++;
    return { id, known: known.length };
  }
  if (id !== session.id) target.newIds++;
  const { collectionId } = session;
  const folder =
    collectionId === null
      ? undefined
      : await collections.find(moved.collections.get(collectionId) ?? collectionId);
  await chats.save({ ...session, id, collectionId: folder?.id ?? null, hasDocumentText: true });
  tallies.chats.created++;
  return { id, known: 0 };
}

async function importMessage(
  target: Target,
  { chats }: TransferStores,
  message: ChatMessage,
): Promise<void> {
  const { session } = target;
  if (!session || session.known-- > 0) return;
  const { objects: moved } = target.moved;
  const follow = <T extends ChatAttachment>(items: readonly T[]): readonly T[] =>
    items.map((item) => ({ ...item, objectId: moved.get(item.objectId) ?? item.objectId }));
  await chats.addMessage({
    ...message,
    sessionId: session.id,
    attachments: follow(message.attachments),
    citations: message.citations.map((cited) => ({
      ...cited,
      objectId: moved.get(cited.objectId) ?? cited.objectId,
    })),
    objects: message.objects && follow(message.objects),
  });
}

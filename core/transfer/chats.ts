import type {
  AnswerCoverage,
  ChatAttachment,
  ChatMessage,
  ChatObject,
  ChatSession,
} from '../../ports/conversations.ts';
import { redactHidden } from '../conversations/index.ts';
import { canSee } from '../hidden-zone/index.ts';
import { resolveImportId } from './import-ids.ts';
import type { ArchiveItem, Part, Source, Target, TransferStores } from './part.ts';
import { messageShape, sessionShape, type ArchivedSession } from './chat-records.ts';
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

/** While the zone is locked, sessions that hold a hidden object are left out. */
async function sessionIds({ deps, caller, zone }: Source): Promise<readonly string[]> {
  return deps.uow.read(caller.scope, async ({ chats }) => {
    const filter = { visibleOnly: zone === 'closed' };
    const ids: string[] = [];
    for (;;) {
      const { items } = await chats.page(filter, { limit: AT_ONCE, offset: ids.length });
      ids.push(...items.map(({ id }) => id));
      if (items.length < AT_ONCE) return ids.reverse();
      await deps.scheduler.yield();
    }
  });
}

async function* sessionLines(source: Source, id: string): AsyncIterable<ArchiveItem> {
  const { deps, caller, zone } = source;
  const session = await deps.uow.read(caller.scope, async (stores) => {
    const { chats } = stores;
    const found = await chats.find(id);
    // It may have been concealed since the list was read.
    if (!found || (zone === 'closed' && (await chats.holdsHidden(id)))) return undefined;
    const objects = await heldObjects(stores, zone, id);
    return { ...found, messageIds: await messageIds(chats, id), objects };
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

/** The objects of a session. While the zone is locked, deleted ones are left out, since they may have been hidden. */
async function heldObjects(
  { chats, objects }: Pick<TransferStores, 'chats' | 'objects'>,
  zone: Source['zone'],
  id: string,
): Promise<readonly ChatObject[]> {
  const held: ChatObject[] = [];
  for (let offset = 0; ; offset += AT_ONCE) {
    const page = await chats.objects(id, { limit: AT_ONCE, offset });
    const known = zone === 'closed' ? await objects.findMany(page.map((it) => it.objectId)) : [];
    const visible = new Set(known.filter((it) => canSee(it, zone)).map((it) => it.id));
    held.push(...page.filter(({ objectId }) => zone !== 'closed' || visible.has(objectId)));
    if (page.length < AT_ONCE) return held;
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
 *
 * While the zone is locked, a session that the caller does not see never gets the id of the archive: whether that id is
 * free would tell whether a concealed session has it.
 */
async function importSession(
  target: Target,
  stores: TransferStores,
  archived: ArchivedSession,
): Promise<Target['session']> {
  const { chats, collections } = stores;
  const { messageIds: ids, objects, ...session } = archived;
  const { tallies, moved, deps, zone } = target;
  let known: readonly string[] = [];
  const { id, held } = await resolveImportId<ChatSession | typeof CONCEALED>(
    deps.digests,
    session,
    ids.join(' '),
    async (input) => {
      const there = await chats.find(input);
      if (zone !== 'closed') return there;
      if (there && !(await chats.holdsHidden(input))) return there;
      return there || input === session.id ? CONCEALED : undefined;
    },
    async (there) => {
      if (there === CONCEALED) return false;
      known = await messageIds(chats, there.id);
      const both = Math.min(known.length, ids.length);
      return (
        there.createdAt === session.createdAt &&
        known.slice(0, both).every((it, i) => it === ids[i])
      );
    },
  );
  if (held && held !== CONCEALED) {
    const more = ids.length > known.length;
    const updatedAt = Math.max(held.updatedAt, session.updatedAt);
    if (more) await chats.save({ ...held, updatedAt, hasDocumentText: true });
    if (more) await importHeldObjects(target, stores, id, objects ?? []);
    const counted = more ? 'merged' : 'unchanged';
    tallies.chats[counted]++;
    return concealing(target, stores, {
      id,
      known: known.length,
      counted,
      hasNewId: false,
      isConcealed: false,
    });
  }
  if (id !== session.id) target.newIds++;
  const { collectionId } = session;
  const folder =
    collectionId === null
      ? undefined
      : await collections.find(moved.collections.get(collectionId) ?? collectionId);
  await chats.save({
    ...session,
    id,
    collectionId: folder?.id ?? null,
    hasDocumentText: true,
    boundTo: null,
  });
  await importHeldObjects(target, stores, id, objects ?? []);
  tallies.chats.created++;
  return concealing(target, stores, {
    id,
    known: 0,
    counted: 'created',
    hasNewId: id !== session.id,
    isConcealed: false,
  });
}

/** Counts the session as concealed once it holds a hidden object. */
async function concealing(
  { zone, concealed }: Pick<Target, 'zone' | 'concealed'>,
  { chats }: Pick<TransferStores, 'chats'>,
  session: NonNullable<Target['session']>,
): Promise<NonNullable<Target['session']>> {
  if (zone === 'closed' && !session.isConcealed && (await chats.holdsHidden(session.id))) {
    session.isConcealed = true;
    concealed.chats[session.counted]++;
    if (session.hasNewId) concealed.newIds++;
  }
  return session;
}

/** An id that is in use by a session that the caller does not see, or may be. */
const CONCEALED = Symbol('concealed');

/**
 * Records the objects of a session, as they are here. For an object that is not here the archive counts, if it says
 * anything. While the zone is locked, an object outside the archive that the caller does not see counts as missing.
 */
async function importHeldObjects(
  { moved, objectIds, zone }: Pick<Target, 'moved' | 'objectIds' | 'zone'>,
  { chats, objects }: Pick<TransferStores, 'chats' | 'objects'>,
  sessionId: string,
  archived: readonly { readonly objectId: string; readonly isHidden?: boolean }[],
): Promise<void> {
  for (let start = 0; start < archived.length; start += AT_ONCE) {
    const some = archived.slice(start, start + AT_ONCE).map(({ objectId, isHidden }) => ({
      objectId: moved.objects.get(objectId) ?? objectId,
      isHidden,
      isArchived: objectIds.has(objectId),
    }));
    const found = new Map(
      (await objects.findMany(some.map((it) => it.objectId))).map((object) => [object.id, object]),
    );
    const held = some.flatMap(({ objectId, isHidden, isArchived }): ChatObject[] => {
      const object = found.get(objectId);
      const counts = object && (isArchived || canSee(object, zone));
      const known = counts ? object.isHidden : isHidden;
      return known === undefined ? [] : [{ objectId, isHidden: known }];
    });
    await chats.addObjects(sessionId, held);
  }
}

function followCoverage(
  coverage: AnswerCoverage,
  moved: ReadonlyMap<string, string>,
): AnswerCoverage {
  if (!coverage.objects) return coverage;
  const follow = (ids: readonly string[]) => ids.map((id) => moved.get(id) ?? id);
  const { searched, unread } = coverage.objects;
  return { ...coverage, objects: { searched: follow(searched), unread: follow(unread) } };
}

async function importMessage(
  target: Target,
  stores: TransferStores,
  message: ChatMessage,
): Promise<void> {
  const { session } = target;
  if (!session || session.known-- > 0) return;
  const { objects: moved } = target.moved;
  const follow = <T extends ChatAttachment>(items: readonly T[]): readonly T[] =>
    items.map((item) => ({ ...item, objectId: moved.get(item.objectId) ?? item.objectId }));
  await stores.chats.addMessage({
    ...message,
    sessionId: session.id,
    agentRole: message.agentRole && { ...message.agentRole, isImported: true },
    attachments: follow(message.attachments),
    citations: follow(message.citations),
    objects: message.objects && follow(message.objects),
    coverage: message.coverage && followCoverage(message.coverage, moved),
  });
  const named = [...message.attachments, ...message.citations, ...(message.objects ?? [])];
  // An archive of an earlier version, or one that was changed, may not list them with the session.
  await importHeldObjects(
    target,
    stores,
    session.id,
    named.map(({ objectId }) => ({ objectId })),
  );
  if (named.length > 0) await concealing(target, stores, session);
}

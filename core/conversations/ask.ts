import type { ChatAttachment, ChatMessage, ChatSession } from '../../ports/conversations.ts';
import { DOC_TYPES, type DocType, type StoredObject } from '../../ports/objects.ts';
import type { SearchFilter } from '../../ports/search.ts';
import type { Clock, Entropy } from '../../ports/time-and-ids.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { answerQuestion, type Coverage, type DocumentAnswer } from '../answers/index.ts';
import {
  askedVisibility,
  canSee,
  zoneFor,
  type Zone,
  type ZoneDeps,
} from '../hidden-zone/index.ts';
import { unknownDocType } from '../objects/index.ts';
import { keepReceipt } from '../receipts/index.ts';
import type { Caller } from '../shared/caller.ts';
import { emptyText, notFound } from '../shared/common-errors.ts';
import { findChat, requireFolder, titleFrom } from './sessions.ts';

export interface AskDeps extends ZoneDeps {
  readonly uow: UnitOfWork<
    'chats' | 'collections' | 'objects' | 'search' | 'texts' | 'zoneLock' | 'receipts'
  >;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

export interface Question {
  readonly question: string;
  /** Left out, a session of kind `ask` is made. */
  readonly sessionId?: string;
  readonly objectIds?: readonly string[];
  readonly collectionId?: string;
  readonly docType?: string;
}

/** The name of the engine that answers in the documents' own sentences. */
const EXTRACTIVE = 'extractive';

export interface Asked {
  readonly session: ChatSession;
  readonly reply: ChatMessage;
  readonly engine: string;
  readonly coverage: Coverage;
}

export interface Turn {
  readonly session: ChatSession;
  readonly user: ChatMessage;
  readonly reply: ChatMessage;
}

/** Answers a question from the owner's documents and keeps both in the history. */
export async function ask(deps: AskDeps, caller: Caller, asked: Question): Promise<Asked> {
  if (asked.question.trim() === '') throw emptyText();
  const { session, answer } = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const session =
      asked.sessionId === undefined ? undefined : await findChat(stores, asked.sessionId);
    await requireFolder(stores, asked.collectionId ?? null);
    // A session in a folder never looks outside it: of two different folders nothing is in both.
    const own = session?.collectionId ?? asked.collectionId;
    const apart = asked.collectionId !== undefined && asked.collectionId !== own;
    const scope = await scopeOf(stores, zone, { ...asked, collectionId: own });
    const filter = apart ? { ...scope, objectIds: [] } : scope;
    return { session, answer: await answerQuestion(stores, asked.question, filter) };
  });
  return deps.uow.write(caller.scope, async (stores) => {
    const now = deps.clock.now();
    const kept = session
      ? { ...(await findChat(stores, session.id)), updatedAt: now }
      : newSession(deps, asked.question, now);
    const { reply } = await addExchange(deps, stores, kept, asked.question, [], answer);
    return keepReceipt(stores, deps.clock, caller, {
      session: kept,
      reply,
      engine: EXTRACTIVE,
      coverage: answer.coverage,
    });
  });
}

/** One more exchange in a session. A session in a folder searches that folder only. */
export async function addTurn(
  deps: AskDeps,
  caller: Caller,
  sessionId: string,
  said: {
    readonly content: string;
    readonly attachments?: readonly string[];
    readonly objectIds?: readonly string[];
  },
): Promise<Turn> {
  if (said.content.trim() === '') throw emptyText();
  const { attachments, answer } = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const session = await findChat(stores, sessionId);
    const attached = await seenObjects(stores, zone, said.attachments ?? []);
    // What is attached is what the question is about.
    const named = [...(said.objectIds ?? []), ...(said.attachments ?? [])];
    const filter = await scopeOf(stores, zone, {
      collectionId: session.collectionId ?? undefined,
      objectIds: named,
    });
    return {
      attachments: attached.map(({ id, filename }) => ({ objectId: id, filename })),
      answer: await answerQuestion(stores, said.content, filter),
    };
  });
  return deps.uow.write(caller.scope, async (stores) => {
    const session = { ...(await findChat(stores, sessionId)), updatedAt: deps.clock.now() };
    const exchange = await addExchange(deps, stores, session, said.content, attachments, answer);
    return keepReceipt(stores, deps.clock, caller, { session, ...exchange });
  });
}

/** Where to look, as far as the caller may look. Whatever was named and is not there is one and the same 404. */
async function scopeOf(
  stores: Pick<Stores, 'objects'>,
  zone: Zone,
  wanted: {
    readonly objectIds?: readonly string[];
    readonly collectionId: string | undefined;
    readonly docType?: string;
  },
): Promise<SearchFilter> {
  const { docType, collectionId, objectIds } = wanted;
  if (docType !== undefined && !isDocType(docType)) throw unknownDocType();
  // No ids are no restriction.
  const named = objectIds?.length ? await seenObjects(stores, zone, objectIds) : undefined;
  return {
    // Naming a hidden object by its id is asking for it, as long as it may be known of.
    visibility: named?.some((object) => object.isHidden) ? 'any' : askedVisibility(zone),
    ...(docType !== undefined && { docType }),
    ...(collectionId !== undefined && { collectionId }),
    ...(named && { objectIds: named.map((object) => object.id) }),
  };
}

async function seenObjects(
  stores: Pick<Stores, 'objects'>,
  zone: Zone,
  ids: readonly string[],
): Promise<readonly StoredObject[]> {
  if (ids.length === 0) return [];
  const wanted = [...new Set(ids)];
  const found = new Map((await stores.objects.findMany(wanted)).map((each) => [each.id, each]));
  return wanted.map((id) => {
    const object = found.get(id);
    if (!object || !canSee(object, zone)) throw notFound();
    return object;
  });
}

const isDocType = (word: string): word is DocType =>
  (DOC_TYPES as readonly string[]).includes(word);

const newSession = (deps: AskDeps, question: string, now: number): ChatSession => ({
  id: deps.entropy.uuid(),
  title: titleFrom(question),
  kind: 'ask',
  collectionId: null,
  pinned: false,
  createdAt: now,
  updatedAt: now,
});

async function addExchange(
  deps: AskDeps,
  stores: Pick<Stores, 'chats'>,
  session: ChatSession,
  question: string,
  attachments: readonly ChatAttachment[],
  answer: DocumentAnswer,
): Promise<{ readonly user: ChatMessage; readonly reply: ChatMessage }> {
  const message = (role: ChatMessage['role'], content: string): ChatMessage => ({
    id: deps.entropy.uuid(),
    sessionId: session.id,
    role,
    content,
    createdAt: session.updatedAt,
    attachments: [],
    citations: [],
    objects: null,
    steps: null,
  });
  const user = { ...message('user', question), attachments };
  const cited = new Map(answer.citations.map((c) => [c.objectId, c.filename]));
  const reply: ChatMessage = {
    ...message('assistant', answer.content),
    citations: answer.citations,
    objects:
      cited.size === 0 ? null : [...cited].map(([objectId, filename]) => ({ objectId, filename })),
  };
  await stores.chats.save(session);
  await stores.chats.addMessage(user);
  await stores.chats.addMessage(reply);
  return { user, reply };
}

import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { answerQuestion } from '../answers/index.ts';
import { zoneFor, type Zone } from '../hidden-zone/index.ts';
import { engineFor, nameOf } from '../models/index.ts';
import { keepReceipt } from '../receipts/index.ts';
import { alone } from '../shared/audience.ts';
import type { Caller } from '../shared/caller.ts';
import { emptyText } from '../shared/common-errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { requireLeft } from '../usage/index.ts';
import { answerByModel } from './by-model.ts';
import { tellWhole, type AnswerAudience } from './events.ts';
import { evidenceFor } from './evidence.ts';
import {
  begun,
  keepQuestion,
  keepReply,
  type AskDeps,
  type Asked,
  type Exchange,
} from './exchange.ts';
import { findChat } from './sessions.ts';
import { scopeOf, seenObjects } from './scope.ts';

export interface Question {
  readonly question: string;
  /** If absent, a session of kind `ask` is created. */
  readonly sessionId?: string;
  readonly objectIds?: readonly string[];
  readonly collectionId?: string;
  readonly docType?: string;
}

/** Answers a question from the owner's documents and stores both in the history. */
export async function ask(
  deps: AskDeps,
  caller: Caller,
  asked: Question,
  audience: AnswerAudience = alone,
): Promise<Exchange> {
  return exchange(deps, caller, audience, {
    content: asked.question,
    conversational: false,
    prepare: async (stores, zone) => {
      const { sessionId } = asked;
      const session = sessionId === undefined ? undefined : await findChat(stores, sessionId);
      await requireFolder(stores, asked.collectionId ?? null);
      // A session in a folder never searches outside it. With another folder as scope, nothing matches.
      const own = session?.collectionId ?? asked.collectionId;
      const apart = asked.collectionId !== undefined && asked.collectionId !== own;
      const scope = await scopeOf(stores, zone, { ...asked, collectionId: own });
      return { session, attachments: [], filter: apart ? { ...scope, objectIds: [] } : scope };
    },
  });
}

/** Another exchange in a session. A session in a folder searches that folder only. */
export async function addTurn(
  deps: AskDeps,
  caller: Caller,
  sessionId: string,
  said: {
    readonly content: string;
    readonly attachments?: readonly string[];
    readonly objectIds?: readonly string[];
  },
  audience: AnswerAudience = alone,
): Promise<Exchange> {
  return exchange(deps, caller, audience, {
    content: said.content,
    conversational: true,
    prepare: async (stores, zone) => {
      const session = await findChat(stores, sessionId);
      const attached = await seenObjects(stores, zone, said.attachments ?? []);
      // Attachments limit the search to themselves.
      const named = [...(said.objectIds ?? []), ...(said.attachments ?? [])];
      const filter = await scopeOf(stores, zone, {
        collectionId: session.collectionId ?? undefined,
        objectIds: named,
      });
      const attachments = attached.map(({ id, filename }) => ({ objectId: id, filename }));
      return { session, attachments, filter };
    },
  });
}

interface Said {
  readonly content: string;
  /** A message of a conversation, which need not be about the documents. */
  readonly conversational: boolean;
  readonly prepare: (
    stores: Pick<Stores, 'chats' | 'collections' | 'objects'>,
    zone: Zone,
  ) => Promise<Pick<Asked, 'session' | 'attachments'> & { readonly filter: SearchFilter }>;
}

async function exchange(
  deps: AskDeps,
  caller: Caller,
  audience: AnswerAudience,
  { content, conversational, prepare }: Said,
): Promise<Exchange> {
  if (content.trim() === '') throw emptyText();
  const prepared = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const { filter, ...asked } = await prepare(stores, zone);
    const engine = await engineFor(deps, stores);
    const question = { ...asked, content };
    if (engine.kind === 'extractive')
      return { question, engine, answer: await answerQuestion(stores, content, filter) };
    if (engine.metered) await requireLeft(stores, deps.clock, caller.limits, 'questions');
    const evidence = await evidenceFor(stores, content, filter, question.session);
    return { question, engine, evidence: { ...evidence, filter, conversational } };
  });
  if (prepared.evidence) return answerByModel(deps, caller, audience, prepared);
  const { question, engine, answer } = prepared;
  const kept = await deps.uow.write(caller.scope, async (stores) => {
    const session = await begun(deps, stores, question);
    const user = await keepQuestion(deps, stores, session, question);
    const reply = await keepReply(deps, stores, session, answer);
    const { coverage } = answer;
    const exchange = { session, user, reply, engine: nameOf(engine), coverage };
    return keepReceipt(stores, deps.clock, caller, exchange);
  });
  await tellWhole(audience, kept.session.id, kept.reply);
  return kept;
}

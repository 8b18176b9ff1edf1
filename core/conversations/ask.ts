import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { answerQuestion } from '../answers/index.ts';
import { zoneFor, type Zone } from '../hidden-zone/index.ts';
import { engineFor, nameOf } from '../models/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import { noSubscriber } from '../shared/stream-subscriber.ts';
import type { Caller } from '../shared/caller.ts';
import { emptyText } from '../shared/common-errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { requireQuota } from '../usage/index.ts';
import { answerWithModel } from './model-answer.ts';
import { emitWholeAnswer, type AnswerSubscriber } from './events.ts';
import { evidenceFor } from './evidence.ts';
import {
  openSession,
  saveUserMessage,
  saveAssistantMessage,
  type AnswerDeps,
  type UserInput,
  type Exchange,
} from './exchange.ts';
import { findChat } from './sessions.ts';
import { scopeOf, visibleObjects } from './scope.ts';

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
  deps: AnswerDeps,
  caller: Caller,
  userInput: Question,
  audience: AnswerSubscriber = noSubscriber,
): Promise<Exchange> {
  return exchange(deps, caller, audience, {
    content: userInput.question,
    conversational: false,
    prepare: async (stores, zone) => {
      const { sessionId } = userInput;
      const session = sessionId === undefined ? undefined : await findChat(stores, sessionId);
      await requireFolder(stores, userInput.collectionId ?? null);
      // A session in a folder never searches outside it. With another folder as scope, nothing matches.
      const own = session?.collectionId ?? userInput.collectionId;
      const apart = userInput.collectionId !== undefined && userInput.collectionId !== own;
      const scope = await scopeOf(stores, zone, { ...userInput, collectionId: own });
      return { session, attachments: [], filter: apart ? { ...scope, objectIds: [] } : scope };
    },
  });
}

/** Another exchange in a session. A session in a folder searches that folder only. */
export async function addTurn(
  deps: AnswerDeps,
  caller: Caller,
  sessionId: string,
  partial: {
    readonly content: string;
    readonly attachments?: readonly string[];
    readonly objectIds?: readonly string[];
  },
  audience: AnswerSubscriber = noSubscriber,
): Promise<Exchange> {
  return exchange(deps, caller, audience, {
    content: partial.content,
    conversational: true,
    prepare: async (stores, zone) => {
      const session = await findChat(stores, sessionId);
      const attached = await visibleObjects(stores, zone, partial.attachments ?? []);
      // Attachments limit the search to themselves.
      const named = [...(partial.objectIds ?? []), ...(partial.attachments ?? [])];
      const filter = await scopeOf(stores, zone, {
        collectionId: session.collectionId ?? undefined,
        objectIds: named,
      });
      const attachments = attached.map(({ id, filename }) => ({ objectId: id, filename }));
      return { session, attachments, filter };
    },
  });
}

interface PartialAnswer {
  readonly content: string;
  /** A message of a conversation, which need not be about the documents. */
  readonly conversational: boolean;
  readonly prepare: (
    stores: Pick<Stores, 'chats' | 'collections' | 'objects'>,
    zone: Zone,
  ) => Promise<Pick<UserInput, 'session' | 'attachments'> & { readonly filter: SearchFilter }>;
}

async function exchange(
  deps: AnswerDeps,
  caller: Caller,
  audience: AnswerSubscriber,
  { content, conversational, prepare }: PartialAnswer,
): Promise<Exchange> {
  if (content.trim() === '') throw emptyText();
  const prepared = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const { filter, ...userInput } = await prepare(stores, zone);
    const engine = await engineFor(deps, stores);
    const question = { ...userInput, content };
    if (engine.kind === 'extractive')
      return { question, engine, answer: await answerQuestion(stores, content, filter) };
    if (engine.metered) await requireQuota(stores, deps.clock, caller.limits, 'questions');
    const evidence = await evidenceFor(stores, content, filter, question.session);
    return { question, engine, evidence: { ...evidence, filter, conversational } };
  });
  if (prepared.evidence) return answerWithModel(deps, caller, audience, prepared);
  const { question, engine, answer } = prepared;
  const stored = await deps.uow.write(caller.scope, async (stores) => {
    const session = await openSession(deps, stores, question);
    const user = await saveUserMessage(deps, stores, session, question);
    const reply = await saveAssistantMessage(deps, stores, session, answer);
    const { coverage } = answer;
    const exchange = { session, user, reply, engine: nameOf(engine), coverage };
    return saveResponse(stores, deps.clock, caller, exchange);
  });
  await emitWholeAnswer(audience, stored.session.id, stored.reply);
  return stored;
}

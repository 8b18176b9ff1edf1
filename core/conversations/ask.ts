import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { answerQuestion } from '../answers/index.ts';
import { zoneFor, type Zone } from '../hidden-zone/index.ts';
import { engineFor, nameOf, type EngineChoice } from '../models/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import { noSubscriber } from '../shared/stream-subscriber.ts';
import type { Caller } from '../shared/caller.ts';
import { emptyText, forbidden } from '../shared/common-errors.ts';
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
  type UnrecordedAnswer,
} from './exchange.ts';
import { visibleChat } from './sessions.ts';
import { scopeOf, visibleObjects } from './scope.ts';
import { answerUnrecorded, toUnrecordedAnswer } from './unrecorded-answer.ts';
import { objectsOfNoAnswer, toCoverage, zoneReach } from './zone-reach.ts';

export interface Question {
  readonly question: string;
  /** If absent, a session of kind `ask` is created. */
  readonly sessionId?: string;
  readonly objectIds?: readonly string[];
  readonly collectionId?: string;
  readonly docType?: string;
  /** `auto` if absent. */
  readonly engine?: EngineChoice;
}

/**
 * Answers a question from the owner's documents and stores both in the history. For a caller that leaves no history nothing
 * is stored, except that the question counts for the plan; such a caller can not continue a session: `forbidden`.
 */
export async function ask(
  deps: AnswerDeps,
  caller: Caller,
  userInput: Question,
  audience: AnswerSubscriber = noSubscriber,
): Promise<Exchange | UnrecordedAnswer> {
  const { mayStoreHistory } = caller;
  if (!mayStoreHistory && userInput.sessionId !== undefined)
    throw forbidden({}, undefined, NO_SESSIONS);
  const question: PartialAnswer = {
    content: userInput.question,
    engine: userInput.engine,
    conversational: false,
    prepare: async (stores, zone) => {
      const { sessionId } = userInput;
      const session =
        sessionId === undefined ? undefined : await visibleChat(stores, zone, sessionId);
      await requireFolder(stores, userInput.collectionId ?? null);
      // A session in a folder never searches outside it. With another folder as scope, nothing matches.
      const own = session?.collectionId ?? userInput.collectionId;
      const apart = userInput.collectionId !== undefined && userInput.collectionId !== own;
      const scope = await scopeOf(stores, zone, { ...userInput, collectionId: own });
      return { session, attachments: [], filter: apart ? { ...scope, objectIds: [] } : scope };
    },
  };
  return mayStoreHistory
    ? exchange(deps, caller, audience, question)
    : answerWithoutHistory(deps, caller, audience, question);
}

const NO_SESSIONS =
  'This token stores no conversations, so it can not continue one. Leave out `session_id`.';

/** Another exchange in a session. A session in a folder searches that folder only. */
export async function addTurn(
  deps: AnswerDeps,
  caller: Caller,
  sessionId: string,
  partial: {
    readonly content: string;
    readonly attachments?: readonly string[];
    readonly objectIds?: readonly string[];
    readonly engine?: EngineChoice;
  },
  audience: AnswerSubscriber = noSubscriber,
): Promise<Exchange> {
  return exchange(deps, caller, audience, {
    content: partial.content,
    engine: partial.engine,
    conversational: true,
    prepare: async (stores, zone) => {
      const session = await visibleChat(stores, zone, sessionId);
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
  readonly engine: EngineChoice | undefined;
  /** A message of a conversation, which need not be about the documents. */
  readonly conversational: boolean;
  readonly prepare: (
    stores: Pick<Stores, 'chats' | 'collections' | 'objects'>,
    zone: Zone,
  ) => Promise<Pick<UserInput, 'session' | 'attachments'> & { readonly filter: SearchFilter }>;
}

/** Answers without a model, or collects the input of one. */
async function prepareAnswer(
  deps: AnswerDeps,
  caller: Caller,
  { content, engine: choice, conversational, prepare }: PartialAnswer,
) {
  if (content.trim() === '') throw emptyText();
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const { filter, ...userInput } = await prepare(stores, zone);
    const engine = await engineFor(deps, stores, choice);
    const reach = await zoneReach(stores, filter);
    const named = filter.objectIds ?? [];
    const question = { ...userInput, content, objectIds: named, zone };
    if (engine.kind === 'extractive') {
      const answer = await answerQuestion(stores, content, filter, reach);
      const unfound =
        answer.citations.length === 0
          ? await objectsOfNoAnswer(stores, content, reach, filter)
          : [];
      const objectIds = [...answer.objectIds, ...unfound];
      return { question, engine, answer: { ...answer, objectIds }, reach };
    }
    if (engine.metered) await requireQuota(stores, deps.clock, caller.limits, 'questions');
    const evidence = await evidenceFor(stores, content, filter, question.session);
    const read = evidence.passages.map(({ passage }) => passage.objectId);
    return {
      question: { ...question, objectIds: [...named, ...read] },
      engine,
      evidence: { ...evidence, reach, filter, conversational },
    };
  });
}

async function exchange(
  deps: AnswerDeps,
  caller: Caller,
  audience: AnswerSubscriber,
  partial: PartialAnswer,
): Promise<Exchange> {
  const prepared = await prepareAnswer(deps, caller, partial);
  if (prepared.evidence) return answerWithModel(deps, caller, audience, prepared);
  const { question, engine, answer, reach } = prepared;
  const stored = await deps.uow.write(caller.scope, async (stores) => {
    const session = await openSession(deps, stores, caller, question);
    const user = await saveUserMessage(deps, stores, session, question);
    const reply = await saveAssistantMessage(deps, stores, session, {
      ...answer,
      coverage: toCoverage(reach),
      engine: nameOf(engine),
      confidence: null,
      cutOff: null,
      zone: question.zone,
    });
    const { coverage } = answer;
    const exchange = { session, user, reply, engine: nameOf(engine), coverage };
    return saveResponse(stores, deps.clock, caller, exchange);
  });
  await emitWholeAnswer(audience, stored.session.id, stored.reply);
  return stored;
}

async function answerWithoutHistory(
  deps: AnswerDeps,
  caller: Caller,
  audience: AnswerSubscriber,
  partial: PartialAnswer,
): Promise<UnrecordedAnswer> {
  const prepared = await prepareAnswer(deps, caller, partial);
  if (prepared.evidence) return answerUnrecorded(deps, caller, audience, prepared);
  const { engine, answer } = prepared;
  await emitWholeAnswer(audience, null, answer);
  return toUnrecordedAnswer(deps, engine, answer, answer.coverage);
}

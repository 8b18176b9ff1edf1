import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { passagesForModel, saysNothing, type PromptPassage } from '../answers/index.ts';
import { nameOf, type ModelEngine } from '../models/index.ts';
import { renewKey, saveResponse } from '../idempotency/index.ts';
import { ClientDisconnectedError } from '../shared/stream-subscriber.ts';
import type { Caller } from '../shared/caller.ts';
import { charge, refund, type Charge } from '../usage/index.ts';

import { emitWholeAnswer, type AnswerSubscriber } from './events.ts';
import type { Evidence } from './evidence.ts';
import {
  openSession,
  saveUserMessage,
  saveAssistantMessage,
  type Answer,
  type AnswerDeps,
  type UserInput,
  type Exchange,
} from './exchange.ts';
import { expandQuery } from './query-expansion.ts';
import { promptFor } from './prompt.ts';
import { bindingOf, findChat } from './sessions.ts';
import { emptyAnswer, streamAnswer, type PartialAnswer } from './stream-answer.ts';
import { objectsOfNoAnswer, toCoverage, type ZoneReach } from './zone-reach.ts';

export interface PreparedAnswer {
  readonly question: UserInput;
  readonly engine: ModelEngine;
  readonly evidence: Evidence & {
    readonly reach: ZoneReach;
    readonly filter: SearchFilter;
    readonly conversational: boolean;
  };
}

/**
 * Lets a model answer. The question is saved first, so that it is in the history in any case. If the client
 * disconnects or the model fails, the answer is saved as far as it was sent, as an incomplete one.
 */
export async function answerWithModel(
  deps: AnswerDeps,
  caller: Caller,
  audience: AnswerSubscriber,
  prepared: PreparedAnswer,
): Promise<Exchange> {
  const { question, engine, evidence } = prepared;
  const { session, user, charged } = await deps.uow.write(caller.scope, async (stores) => {
    const session = await openSession(deps, stores, caller, question);
    const user = await saveUserMessage(deps, stores, session, question);
    const charged = engine.metered
      ? await charge(stores, deps.clock, caller.limits, 'questions')
      : undefined;
    await renewKey(stores, deps.clock, caller, deps.answerSeconds * 1000);
    return { session, user, charged };
  });
  const partial = emptyAnswer();
  const read: string[] = [];
  const saveReply = (stores: ReplyStores, cutOff: Answer['cutOff']) =>
    replyIn(deps, stores, caller, session.id, {
      ...partial,
      coverage: toCoverage(evidence.reach),
      engine: nameOf(engine),
      confidence: null,
      cutOff,
      objectIds: read,
      zone: question.zone,
    });
  try {
    await generateAnswer(deps, caller, audience, prepared, session.id, partial, read);
  } catch (error) {
    await refundFailure(deps, caller, charged, error);
    if (partial.content !== '')
      await deps.uow.write(caller.scope, async (stores) => {
        // The session may have been deleted in the meantime.
        if (await stores.chats.find(session.id)) await saveReply(stores, 'interrupted');
      });
    throw error;
  }
  return deps.uow.write(caller.scope, async (stores) => {
    const { searched, unread } = evidence.reach;
    const stored = await saveReply(stores, partial.cutOff);
    return saveResponse(stores, deps.clock, caller, {
      ...stored,
      user,
      engine: nameOf(engine),
      coverage: { searched, unread },
    });
  });
}

type ReplyStores = Pick<Stores, 'chats' | 'objects'>;

async function replyIn(
  deps: AnswerDeps,
  stores: ReplyStores,
  { scope }: Caller,
  id: string,
  answer: Answer,
) {
  const found = await findChat(stores, id);
  const session = { ...found, updatedAt: deps.clock.now(), boundTo: bindingOf(scope) };
  await stores.chats.save(session);
  return { session, reply: await saveAssistantMessage(deps, stores, session, answer) };
}

/**
 * A failed call of the operator's model is not counted. An answer whose client disconnected has been produced and is
 * counted.
 */
export async function refundFailure(
  deps: AnswerDeps,
  caller: Caller,
  charged: Charge | undefined,
  error: unknown,
): Promise<void> {
  if (charged && !(error instanceof ClientDisconnectedError))
    await deps.uow.write(caller.scope, (stores) => refund(stores, charged));
}

/**
 * Streams the answer to the subscriber; `partial` holds it as far as it was emitted. Adds to `read` the objects that are
 * read for it beyond those of the question.
 */
export async function generateAnswer(
  deps: AnswerDeps,
  caller: Caller,
  audience: AnswerSubscriber,
  { question, engine, evidence }: PreparedAnswer,
  sessionId: string | null,
  partial: PartialAnswer,
  read: string[],
): Promise<void> {
  const { content } = question;
  const until = deps.clock.now() + deps.answerSeconds * 1000;
  const left = () => Math.max(1, until - deps.clock.now());
  let { passages } = evidence;
  if (passages.length === 0 && !evidence.conversational && evidence.earlier.length === 0) {
    const searches = await expandQuery(deps.models, engine, content, left(), audience.disconnected);
    passages = await foundBy(deps, caller, searches, evidence.filter);
    read.push(...passages.map(({ passage }) => passage.objectId));
    if (passages.length === 0) {
      partial.content = await sayNothing(deps, caller, content, evidence, read);
      return emitWholeAnswer(audience, sessionId, partial);
    }
  }
  const prompt = promptFor({
    question: content,
    passages,
    earlier: evidence.earlier,
    contextTokens: engine.contextTokens,
  });
  await streamAnswer(
    deps.models,
    { engine, ...prompt, totalMs: left() },
    sessionId,
    audience,
    partial,
  );
  if (partial.content !== '') return;
  // Nothing it said could be verified: this is the answer that nothing was found, and is not retried.
  partial.content = await sayNothing(deps, caller, content, evidence, read);
  await audience.send({ type: 'delta', text: partial.content });
}

async function sayNothing(
  deps: AnswerDeps,
  caller: Caller,
  question: string,
  { reach, filter }: Pick<PreparedAnswer['evidence'], 'reach' | 'filter'>,
  read: string[],
): Promise<string> {
  const objectIds = await deps.uow.read(caller.scope, (stores) =>
    objectsOfNoAnswer(stores, question, reach, filter),
  );
  read.push(...objectIds);
  return saysNothing(question, reach, filter);
}

/** The union of all searches, results of the first ones first. */
async function foundBy(
  deps: AnswerDeps,
  caller: Caller,
  searches: readonly string[],
  filter: SearchFilter,
): Promise<readonly PromptPassage[]> {
  if (searches.length === 0) return [];
  return deps.uow.read(caller.scope, async (stores) => {
    const found = new Map<string, PromptPassage>();
    for (const search of searches)
      for (const each of await passagesForModel(stores, search, filter))
        found.set(`${each.passage.objectId} ${each.passage.ord}`, each);
    return [...found.values()];
  });
}

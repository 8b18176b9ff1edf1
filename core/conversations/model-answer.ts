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
  type AnswerDeps,
  type UserInput,
  type Exchange,
} from './exchange.ts';
import { expandQuery } from './query-expansion.ts';
import { promptFor } from './prompt.ts';
import { findChat } from './sessions.ts';
import { streamAnswer, type PartialAnswer } from './stream-answer.ts';

interface Prepared {
  readonly question: UserInput;
  readonly engine: ModelEngine;
  readonly evidence: Evidence & {
    readonly filter: SearchFilter;
    readonly conversational: boolean;
  };
}

/**
 * Lets a model answer. The question is saved first, so that it is in the history in any case. If the client
 * disconnects, the answer is saved as far as it was sent.
 */
export async function answerWithModel(
  deps: AnswerDeps,
  caller: Caller,
  audience: AnswerSubscriber,
  prepared: Prepared,
): Promise<Exchange> {
  const { question, engine, evidence } = prepared;
  const { session, user, charged } = await deps.uow.write(caller.scope, async (stores) => {
    const session = await openSession(deps, stores, question);
    const user = await saveUserMessage(deps, stores, session, question);
    const charged = engine.metered
      ? await charge(stores, deps.clock, caller.limits, 'questions')
      : undefined;
    await renewKey(stores, deps.clock, caller, deps.answerSeconds * 1000);
    return { session, user, charged };
  });
  const partial: PartialAnswer = { content: '', citations: [] };
  const keep = (stores: Pick<Stores, 'chats'>) => replyIn(deps, stores, session.id, partial);
  try {
    await say(deps, caller, audience, prepared, session.id, partial);
  } catch (error) {
    if (error instanceof ClientDisconnectedError && partial.content !== '')
      await deps.uow.write(caller.scope, keep);
    else await emptyAnswer(deps, caller, charged, error);
    throw error;
  }
  return deps.uow.write(caller.scope, async (stores) => {
    const { searched, unread } = evidence.reach;
    const stored = await keep(stores);
    return saveResponse(stores, deps.clock, caller, {
      ...stored,
      user,
      engine: nameOf(engine),
      coverage: { searched, unread },
    });
  });
}

async function replyIn(
  deps: AnswerDeps,
  stores: Pick<Stores, 'chats'>,
  id: string,
  partial: PartialAnswer,
) {
  const session = { ...(await findChat(stores, id)), updatedAt: deps.clock.now() };
  await stores.chats.save(session);
  return { session, reply: await saveAssistantMessage(deps, stores, session, partial) };
}

/**
 * A failed call of the operator's model is not counted. An answer whose client disconnected has been produced and is
 * counted.
 */
async function emptyAnswer(
  deps: AnswerDeps,
  caller: Caller,
  charged: Charge | undefined,
  error: unknown,
): Promise<void> {
  if (charged && !(error instanceof ClientDisconnectedError))
    await deps.uow.write(caller.scope, (stores) => refund(stores, charged));
}

async function say(
  deps: AnswerDeps,
  caller: Caller,
  audience: AnswerSubscriber,
  { question, engine, evidence }: Prepared,
  sessionId: string,
  partial: PartialAnswer,
): Promise<void> {
  const { content } = question;
  const until = deps.clock.now() + deps.answerSeconds * 1000;
  const left = () => Math.max(1, until - deps.clock.now());
  let { passages } = evidence;
  if (passages.length === 0 && !evidence.conversational && evidence.earlier.length === 0) {
    const searches = await expandQuery(deps.models, engine, content, left(), audience.disconnected);
    passages = await foundBy(deps, caller, searches, evidence.filter);
    if (passages.length === 0) {
      partial.content = saysNothing(content, evidence.reach, evidence.filter);
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
  partial.content = saysNothing(content, evidence.reach, evidence.filter);
  await audience.send({ type: 'delta', text: partial.content });
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

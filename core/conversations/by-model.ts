import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { passagesFor, saysNothing, type OfferedPassage } from '../answers/index.ts';
import { nameOf, type ModelEngine } from '../models/index.ts';
import { extendReceipt, keepReceipt } from '../receipts/index.ts';
import { AudienceLeft } from '../shared/audience.ts';
import type { Caller } from '../shared/caller.ts';
import { charge, giveBack, type Charge } from '../usage/index.ts';

import { tellWhole, type AnswerAudience } from './events.ts';
import type { Evidence } from './evidence.ts';
import {
  begun,
  keepQuestion,
  keepReply,
  type AskDeps,
  type Asked,
  type Exchange,
} from './exchange.ts';
import { otherWords } from './other-words.ts';
import { promptFor } from './prompt.ts';
import { findChat } from './sessions.ts';
import { speak, type Said } from './speaking.ts';

interface Prepared {
  readonly question: Asked;
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
export async function answerByModel(
  deps: AskDeps,
  caller: Caller,
  audience: AnswerAudience,
  prepared: Prepared,
): Promise<Exchange> {
  const { question, engine, evidence } = prepared;
  const { session, user, charged } = await deps.uow.write(caller.scope, async (stores) => {
    const session = await begun(deps, stores, question);
    const user = await keepQuestion(deps, stores, session, question);
    const charged = engine.metered
      ? await charge(stores, deps.clock, caller.limits, 'questions')
      : undefined;
    await extendReceipt(stores, deps.clock, caller, deps.answerSeconds * 1000);
    return { session, user, charged };
  });
  const said: Said = { content: '', citations: [] };
  const keep = (stores: Pick<Stores, 'chats'>) => replyIn(deps, stores, session.id, said);
  try {
    await say(deps, caller, audience, prepared, session.id, said);
  } catch (error) {
    if (error instanceof AudienceLeft && said.content !== '')
      await deps.uow.write(caller.scope, keep);
    else await unsaid(deps, caller, charged, error);
    throw error;
  }
  return deps.uow.write(caller.scope, async (stores) => {
    const { searched, unread } = evidence.reach;
    const kept = await keep(stores);
    return keepReceipt(stores, deps.clock, caller, {
      ...kept,
      user,
      engine: nameOf(engine),
      coverage: { searched, unread },
    });
  });
}

async function replyIn(deps: AskDeps, stores: Pick<Stores, 'chats'>, id: string, said: Said) {
  const session = { ...(await findChat(stores, id)), updatedAt: deps.clock.now() };
  await stores.chats.save(session);
  return { session, reply: await keepReply(deps, stores, session, said) };
}

/**
 * A failed call of the operator's model is not counted. An answer whose client disconnected has been produced and is
 * counted.
 */
async function unsaid(
  deps: AskDeps,
  caller: Caller,
  charged: Charge | undefined,
  error: unknown,
): Promise<void> {
  if (charged && !(error instanceof AudienceLeft))
    await deps.uow.write(caller.scope, (stores) => giveBack(stores, charged));
}

async function say(
  deps: AskDeps,
  caller: Caller,
  audience: AnswerAudience,
  { question, engine, evidence }: Prepared,
  sessionId: string,
  said: Said,
): Promise<void> {
  const { content } = question;
  const until = deps.clock.now() + deps.answerSeconds * 1000;
  const left = () => Math.max(1, until - deps.clock.now());
  let { passages } = evidence;
  if (passages.length === 0 && !evidence.conversational && evidence.earlier.length === 0) {
    const searches = await otherWords(deps.models, engine, content, left(), audience.left);
    passages = await foundBy(deps, caller, searches, evidence.filter);
    if (passages.length === 0) {
      said.content = saysNothing(content, evidence.reach, evidence.filter);
      return tellWhole(audience, sessionId, said);
    }
  }
  const prompt = promptFor({
    question: content,
    passages,
    earlier: evidence.earlier,
    contextTokens: engine.contextTokens,
  });
  await speak(deps.models, { engine, ...prompt, totalMs: left() }, sessionId, audience, said);
  if (said.content !== '') return;
  // Nothing it said could be verified: this is the answer that nothing was found, and is not retried.
  said.content = saysNothing(content, evidence.reach, evidence.filter);
  await audience.tell({ type: 'delta', text: said.content });
}

/** The union of all searches, results of the first ones first. */
async function foundBy(
  deps: AskDeps,
  caller: Caller,
  searches: readonly string[],
  filter: SearchFilter,
): Promise<readonly OfferedPassage[]> {
  if (searches.length === 0) return [];
  return deps.uow.read(caller.scope, async (stores) => {
    const found = new Map<string, OfferedPassage>();
    for (const search of searches)
      for (const each of await passagesFor(stores, search, filter))
        found.set(`${each.passage.objectId} ${each.passage.ord}`, each);
    return [...found.values()];
  });
}

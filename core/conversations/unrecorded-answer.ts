import type { IncompleteReason } from '../../ports/conversations.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Coverage } from '../answers/index.ts';
import { nameOf, type Engine } from '../models/index.ts';
import type { Caller } from '../shared/caller.ts';
import { charge } from '../usage/index.ts';
import type { AnswerSubscriber } from './events.ts';
import type { AnswerDeps, UnrecordedAnswer } from './exchange.ts';
import { generateAnswer, refundFailure, type PreparedAnswer } from './model-answer.ts';
import { emptyAnswer } from './stream-answer.ts';

/** Streams the answer of a model. Neither question nor answer is stored. A question to the operator's model is counted. */
export async function answerUnrecorded(
  deps: AnswerDeps,
  caller: Caller,
  audience: AnswerSubscriber,
  prepared: PreparedAnswer,
): Promise<UnrecordedAnswer> {
  const { engine, evidence } = prepared;
  const charged = engine.metered
    ? await deps.uow.write(caller.scope, (stores) =>
        charge(stores, deps.clock, caller.limits, 'questions'),
      )
    : undefined;
  const partial = emptyAnswer();
  try {
    await generateAnswer(deps, caller, audience, prepared, null, partial, []);
  } catch (error) {
    await refundFailure(deps, caller, charged, error);
    throw error;
  }
  const { searched, unread } = evidence.reach;
  return toUnrecordedAnswer(deps, engine, partial, { searched, unread }, partial.cutOff);
}

export const toUnrecordedAnswer = (
  { clock }: { readonly clock: Clock },
  engine: Engine,
  { content, citations }: Pick<UnrecordedAnswer['reply'], 'content' | 'citations'>,
  coverage: Coverage,
  cutOff: IncompleteReason | null = null,
): UnrecordedAnswer => ({
  session: null,
  reply: {
    content,
    citations,
    createdAt: clock.now(),
    confidence: null,
    incomplete: cutOff !== null,
    incompleteReason: cutOff,
  },
  engine: nameOf(engine),
  coverage,
});

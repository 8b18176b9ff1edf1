import type { Citation } from '../../ports/conversations.ts';
import type { StreamSubscriber } from '../shared/stream-subscriber.ts';

/** Events of an answer in progress. The concatenated deltas are its text. */
export type AnswerEvent =
  /** Always the first event; null if nothing is stored. */
  | { readonly type: 'session'; readonly sessionId: string | null }
  | { readonly type: 'delta'; readonly text: string }
  /** The target of an emitted marker. */
  | { readonly type: 'citation'; readonly citation: Citation }
  | { readonly type: 'step'; readonly step: Readonly<Record<string, unknown>> };

export type AnswerSubscriber = StreamSubscriber<AnswerEvent>;

/** Emits an existing answer word by word. */
export async function emitWholeAnswer(
  audience: AnswerSubscriber,
  sessionId: string | null,
  { content, citations }: { readonly content: string; readonly citations: readonly Citation[] },
): Promise<void> {
  await audience.send({ type: 'session', sessionId });
  for (const text of content.match(/\s*\S+\s*/gu) ?? [])
    await audience.send({ type: 'delta', text });
  for (const citation of citations) await audience.send({ type: 'citation', citation });
}

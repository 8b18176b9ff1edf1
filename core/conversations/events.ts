import type { Citation } from '../../ports/conversations.ts';
import type { Audience } from '../shared/audience.ts';

/** Events of an answer in progress. The concatenated deltas are its text. */
export type AnswerNews =
  /** Always the first event. */
  | { readonly type: 'session'; readonly sessionId: string }
  | { readonly type: 'delta'; readonly text: string }
  /** The target of an emitted marker. */
  | { readonly type: 'citation'; readonly citation: Citation }
  | { readonly type: 'step'; readonly step: Readonly<Record<string, unknown>> };

export type AnswerAudience = Audience<AnswerNews>;

/** Emits an existing answer word by word. */
export async function tellWhole(
  audience: AnswerAudience,
  sessionId: string,
  { content, citations }: { readonly content: string; readonly citations: readonly Citation[] },
): Promise<void> {
  await audience.tell({ type: 'session', sessionId });
  for (const text of content.match(/\s*\S+\s*/gu) ?? [])
    await audience.tell({ type: 'delta', text });
  for (const citation of citations) await audience.tell({ type: 'citation', citation });
}

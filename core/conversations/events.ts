import type { Citation } from '../../ports/conversations.ts';
import type { Audience } from '../shared/audience.ts';

/** What is told while an answer is made. The deltas joined are its text. */
export type AnswerNews =
  /** The first of all. */
  | { readonly type: 'session'; readonly sessionId: string }
  | { readonly type: 'delta'; readonly text: string }
  /** What a marker that was told refers to. */
  | { readonly type: 'citation'; readonly citation: Citation }
  | { readonly type: 'step'; readonly step: Readonly<Record<string, unknown>> };

export type AnswerAudience = Audience<AnswerNews>;

/** An answer that is there already, told word by word. */
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

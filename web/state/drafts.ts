import { onLock } from './zone-token.ts';

/** A text that is not saved, and the version that it changes. */
export interface Draft {
  readonly text: string;
  readonly version: number;
}

const MAX_DRAFTS = 20;

/**
 * Texts that were not saved when their editor closed, such as at the end of a session. They are in the memory of the tab only,
 * which another owner does not get. Texts of hidden documents are never kept.
 */
const drafts = new Map<string, Draft>();

export function keepDraft(key: string, draft: Draft): void {
  drafts.delete(key);
  drafts.set(key, draft);
  const [oldest] = drafts.keys();
  if (drafts.size > MAX_DRAFTS && oldest !== undefined) drafts.delete(oldest);
}

export const draftOf = (key: string): Draft | undefined => drafts.get(key);

export const dropDraft = (key: string): void => void drafts.delete(key);

// A document may have been hidden since.
onLock(() => drafts.clear());

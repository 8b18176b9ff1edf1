import { signal } from '@preact/signals';
import type { components } from '../api/schema.js';
import { onLock } from './zone-token.ts';

/** The answer whose citation was opened, for the viewer. */
export interface CitedAnswer {
  question: string;
  chatId: string | null;
  /** Where the conversation is: `/ask`. */
  place: string;
  citations: readonly components['schemas']['Citation'][];
}

export const citedAnswer = signal<CitedAnswer | undefined>(undefined);

onLock(() => void (citedAnswer.value = undefined));

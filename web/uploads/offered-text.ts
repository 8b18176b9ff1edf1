import { signal } from '@preact/signals';
import { onLock } from '../state/zone-token.ts';
import type { Destination } from './queue.ts';

export interface OfferedText {
  readonly text: string;
  readonly origin: 'pasted' | 'shared';
  readonly destination: Destination;
}

/** Text that was pasted or shared, and waits for the choice between a note and a link. */
export const offeredText = signal<OfferedText | undefined>(undefined);

onLock(() => {
  if (offeredText.peek()?.destination.isHidden) offeredText.value = undefined;
});

/** The address that the text consists of. */
export const linkIn = (text: string): string | undefined => {
  const trimmed = text.trim();
  return /^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed) ? trimmed : undefined;
};

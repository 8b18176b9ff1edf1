import type { Citation } from '../../ports/conversations.ts';
import type { OfferedPassage } from './offered.ts';
export interface Told {
  readonly text: string;
  readonly citations: readonly Citation[];
}
export function citingReader(_offered: () => readonly OfferedPassage[]) {
  return {
    feed: (text: string): Told => ({ text, citations: [] }),
    end: (): Told => ({ text: '', citations: [] }),
  };
}

import { signal } from '@preact/signals';
import { onLock } from './zone-token.ts';

export interface NamedDocument {
  readonly id: string;
  readonly name: string;
}

/** What the next conversation is about. It comes from another screen, and is no part of an address. */
export interface AskAbout {
  /** Sent at once. */
  readonly question?: string;
  readonly folderId?: string;
  readonly documents?: readonly NamedDocument[];
}

/** Read and cleared by the screen of conversations. */
export const askAbout = signal<AskAbout | undefined>(undefined);

onLock(() => void (askAbout.value = undefined));

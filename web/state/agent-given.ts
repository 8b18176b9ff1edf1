import { signal } from '@preact/signals';
import type { NamedDocument } from './ask-about.ts';
import { onLock } from './zone-token.ts';

/** The documents for the next conversation with the agent. Read and cleared by its screen. */
export const agentGiven = signal<readonly NamedDocument[] | undefined>(undefined);

onLock(() => void (agentGiven.value = undefined));

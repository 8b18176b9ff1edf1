import { signal } from '@preact/signals';

/** The citation that is pointed at: its source is lit beside the answer. */
export const lit = signal<string | undefined>(undefined);

export const litKey = (exchangeId: string, index: number): string => `${exchangeId} ${index}`;

/** The exchange of the citation that is lit. */
export const litExchange = (): string | undefined => lit.value?.split(' ')[0];

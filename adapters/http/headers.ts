import type { IncomingMessage } from 'node:http';

/**
 * A header that has one value: of a repeated one the last counts. Node itself would keep the first of some and join
 * others with commas.
 */
export const headerOf = (request: IncomingMessage, name: string): string | undefined =>
  request.headersDistinct[name]?.at(-1);

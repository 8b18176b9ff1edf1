import type { IncomingMessage } from 'node:http';

/**
 * The value of a single-valued header; of a repeated one the last counts. Node would use the first of some and join
 * others with commas. The raw headers are searched, because Node builds its table of all values for each request that
 * uses it. `name` is in lower case.
 */
export function headerOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    const sent = rawHeaders[i];
    if (sent?.length === name.length && sent.toLowerCase() === name) return rawHeaders[i + 1];
  }
  return undefined;
}

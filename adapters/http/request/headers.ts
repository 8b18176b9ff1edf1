import type { IncomingMessage } from 'node:http';

/**
 * A header that has one value: of a repeated one the last counts. Node itself would keep the first of some and join
 * others with commas. Looked for among what came, because node's own table of all values is made for each request
 * that asks for it. `name` in lower case.
 */
export function headerOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    const sent = rawHeaders[i];
    if (sent?.length === name.length && sent.toLowerCase() === name) return rawHeaders[i + 1];
  }
  return undefined;
}

import { SERVICE } from '../app/address.ts';
import { toApiError } from '../api/errors.ts';
import { eventsOf } from '../api/event-stream.ts';
import { requestOf } from '../api/request.ts';
import { CHANGE_KINDS, type ChangeKind } from './live.ts';

export interface Change {
  readonly kinds: readonly ChangeKind[];
  /** The position after it. */
  readonly cursor: string;
}

const KNOWN: ReadonlySet<string> = new Set(CHANGE_KINDS);

/** The folders are loaded together with their themes. */
const kindOf = (kind: string): string => (kind === 'themes' ? 'folders' : kind);

const isKnown = (kind: string): kind is ChangeKind => KNOWN.has(kind);

/** Changes as the service reports them, until it ends the stream. Throws if they can not be followed. */
export async function* changesSince(
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Change> {
  const response = await requestOf(
    new Request(`${SERVICE || location.origin}/v1/changes`, {
      headers: {
        accept: 'text/event-stream',
        ...(cursor !== undefined && { 'last-event-id': cursor }),
      },
      signal,
    }),
  );
  if (!response.ok || !response.body)
    throw toApiError(response, await response.json().catch(() => undefined));
  for await (const { event, data } of eventsOf(response.body)) {
    if (event !== 'changed') throw new Error(`The stream of changes ended with ${event}.`);
    const change = JSON.parse(data) as {
      readonly kinds: readonly string[];
      readonly cursor: string;
    };
    const kinds = new Set(change.kinds.map(kindOf).filter(isKnown));
    yield { kinds: [...kinds], cursor: change.cursor };
  }
}

import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import type { components } from '../../../api/schema.js';

export type SecurityEvent = components['schemas']['SecurityEvent'];
export type EventKind = SecurityEvent['kind'];

/** The service answers with at most so many at a time. */
const MAX_PAGE = 200;

export interface EventPage {
  readonly items: readonly SecurityEvent[];
  readonly hasMore: boolean;
}

/** The newest events of a kind, or of all kinds, at most `count`. */
export async function readEvents(
  kind: EventKind | undefined,
  count: number,
  signal: AbortSignal,
): Promise<EventPage> {
  const items: SecurityEvent[] = [];
  let cursor: string | undefined;
  for (;;) {
    const query = {
      limit: Math.min(MAX_PAGE, count - items.length),
      ...(kind && { kind }),
      ...(cursor !== undefined && { cursor }),
    };
    const page = await reply(api.GET('/v1/security-events', { params: { query }, signal }));
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
    if (cursor === undefined || items.length >= count)
      return { items, hasMore: cursor !== undefined };
  }
}

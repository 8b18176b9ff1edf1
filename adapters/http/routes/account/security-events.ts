import type { ListedSecurityEvent } from '../../../../core/security-events/index.ts';
import { ACTOR_KINDS, SECURITY_EVENT_KINDS } from '../../../../ports/security-events.ts';
import { cursorOf } from '../../request/cursor.ts';
import { route } from '../../route.ts';
import {
  closed,
  cursor,
  dateTime,
  freeForm,
  int,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import { iso } from '../shapes.ts';

const SecurityEvent = named(
  'SecurityEvent',
  closed({
    id: uuid(),
    at: dateTime(),
    kind: oneOf(...SECURITY_EVENT_KINDS),
    actor: closed({
      kind: oneOf(...ACTOR_KINDS),
      id: text({ description: 'Of the session or token; empty for the others.' }),
      name: text({ description: 'The browser of a session, the name of a token.' }),
    }),
    network: text({ description: 'The /24 (IPv4) or /48 (IPv6) of the client; may be empty.' }),
    subject: text({
      description:
        'What it is about: the id of a token, session, passkey, share or bot, or the kind of an integration. Empty for the account.',
    }),
    detail: text({ description: 'A sentence for people.' }),
    facts: nullable(
      freeForm({ description: 'Names, numbers and codes of the sentence; null for none.' }),
    ),
  }),
);

const item = (event: ListedSecurityEvent): TypeOf<typeof SecurityEvent> => ({
  id: event.id,
  at: iso(event.at),
  kind: event.kind,
  actor: { ...event.actor },
  network: event.network,
  subject: event.subject,
  detail: event.detail,
  facts: event.facts,
});

export const securityEventRoutes = [
  route({
    method: 'get',
    path: '/v1/security-events',
    tag: 'Identity',
    name: 'listSecurityEvents',
    summary: 'The log of security events, newest first',
    description:
      'Events are listed for 400 days. `cursor` is the `next_cursor` of an earlier response. What concerns a hidden object is listed only while the zone is open.',
    access: 'owner',
    scope: 'account',
    readsUnlockToken: true,
    query: object({
      limit: withDefault(int({ minimum: 1, maximum: 200 }), 50),
      cursor: optional(cursor()),
      kind: optional(oneOf(...SECURITY_EVENT_KINDS)),
    }),
    reply: {
      json: named(
        'SecurityEventList',
        closed({ items: list(SecurityEvent), next_cursor: nullable(text()) }),
      ),
    },
    run: (core, { caller, query: { limit, cursor: after, kind } }) =>
      core.securityEvents.listSecurityEvents(caller, {
        limit,
        // A key that is no number is that of another list: nothing follows it here.
        ...(after && {
          after: { at: typeof after.key === 'number' ? after.key : 0, id: after.id },
        }),
        ...(kind !== undefined && { kind }),
      }),
    present: ({ items, next }) => ({
      items: items.map(item),
      next_cursor: cursorOf(next && { key: next.at, id: next.id }),
    }),
  }),
];

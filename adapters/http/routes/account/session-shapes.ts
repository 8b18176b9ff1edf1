import type { Session } from '../../../../ports/sign-in.ts';
import { SESSION_MS, type SignedIn } from '../../../../core/sign-in/index.ts';
import type { CookieChange } from '../../request/cookie-changes.ts';
import { closed, dateTime, flag, named, text, uuid, type TypeOf } from '../../schema.ts';
import { iso } from '../shapes.ts';

export const SessionCard = named(
  'SessionCard',
  closed({
    id: uuid(),
    created_at: dateTime(),
    last_used_at: dateTime({ description: 'To the minute.' }),
    network: text({ description: 'The /24 or /48 of the client.' }),
    client: text({ description: 'Browser and system in words.' }),
    current: flag({ description: 'Whether it is the session of this request.' }),
  }),
);

export const sessionCard = (
  session: Session,
  currentId: string | null,
): TypeOf<typeof SessionCard> => ({
  id: session.id,
  created_at: iso(session.createdAt),
  last_used_at: iso(session.lastUsedAt),
  network: session.network,
  client: session.client,
  current: session.id === currentId,
});

/** The reply of every operation that signs in. */
export const SignedInReply = named(
  'SignedIn',
  closed({ session: SessionCard, owner: closed({ id: uuid(), name: text() }) }),
);

export const signedInReply = ({ session, owner }: SignedIn): TypeOf<typeof SignedInReply> => ({
  session: sessionCard(session, session.id),
  owner: { id: owner.id, name: owner.name },
});

/** `setsCookie` of every operation that signs in. */
export const sessionCookie = ({ secret }: SignedIn): CookieChange => ({
  kind: 'set',
  secret,
  maxAgeSeconds: SESSION_MS / 1000,
});

import { route } from '../../route.ts';
import { closed, flag, int, named, nullable, object, secret, text, uuid } from '../../schema.ts';
import { Deleted, deleted, listReply, paging } from '../shapes.ts';
import {
  SessionCard,
  SignedInReply,
  sessionCard,
  sessionCookie,
  signedInReply,
} from './session-shapes.ts';

const tag = 'Signing in';

export const signInRoutes = [
  route({
    method: 'get',
    path: '/v1/sign-in',
    tag,
    name: 'signInMethods',
    summary: 'The ways to sign in, and whether this browser is signed in',
    access: 'sign-in',
    reply: {
      json: named(
        'SignInMethods',
        closed({
          methods: closed({
            passkey: flag(),
            password: flag(),
            oidc: nullable(closed({ name: text() })),
          }),
          signed_in: flag(),
        }),
      ),
    },
    run: (core, { current }) => Promise.resolve(core.signIn.signInMethods(current)),
    present: ({ passkey, password, oidc, isSignedIn }) => ({
      methods: { passkey, password, oidc },
      signed_in: isSignedIn,
    }),
  }),
  route({
    method: 'post',
    path: '/v1/sign-in/link',
    tag,
    name: 'signInByLink',
    summary: 'Sign in with the code of a one-time link',
    description:
      'The code is the fragment of the link. It is valid once and for 30 minutes. Sets the session cookie.',
    access: 'sign-in',
    errors: ['sign_in_failed'],
    body: { json: object({ code: secret(text({ maxLength: 100 })) }) },
    reply: { json: SignedInReply },
    run: (core, { body, client, current }) =>
      core.signIn.signInByLink({ code: body.code, client, current }),
    present: signedInReply,
    setsCookie: sessionCookie,
  }),
  route({
    method: 'post',
    path: '/v1/sign-out',
    tag,
    name: 'signOut',
    summary: 'End the session of this browser at once, in every process',
    description: 'Clears the session cookie. A token has no session: 403.',
    access: 'owner',
    scope: 'account',
    reply: { json: named('SignedOut', closed({ signed_out: flag() })) },
    run: (core, { caller }) => core.signIn.signOut(caller),
    present: () => ({ signed_out: true }),
    setsCookie: () => ({ kind: 'clear' }),
  }),
  route({
    method: 'get',
    path: '/v1/sessions',
    tag,
    name: 'listSessions',
    summary: 'The browsers in which the owner is signed in, most recently used first',
    access: 'owner',
    scope: 'account',
    query: object(paging),
    reply: { json: listReply('SessionList', SessionCard) },
    run: (core, { caller, query }) => core.signIn.listSessions(caller, query),
    present: ({ items, total, currentId }) => ({
      items: items.map((session) => sessionCard(session, currentId)),
      total,
    }),
  }),
  route({
    method: 'delete',
    path: '/v1/sessions/:session_id',
    tag,
    name: 'endSession',
    summary: 'End a session at once, in every process',
    description: 'To end another session than its own, a session needs a recent sign-in.',
    access: 'owner',
    scope: 'account',
    errors: ['not_found', 'sign_in_again'],
    params: object({ session_id: uuid() }),
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.signIn.endSession(caller, params.session_id),
    present: deleted,
    setsCookie: ({ isCurrent }) => (isCurrent ? { kind: 'clear' } : undefined),
  }),
  route({
    method: 'delete',
    path: '/v1/sessions',
    tag,
    name: 'endOtherSessions',
    summary: 'End all sessions but the own one; with a token, all',
    access: 'owner',
    scope: 'account',
    needsRecentSignIn: true,
    reply: { json: named('SessionsEnded', closed({ deleted: flag(), ended: int() })) },
    run: (core, { caller }) => core.signIn.endOtherSessions(caller),
    present: (ended) => ({ deleted: true, ended }),
  }),
];

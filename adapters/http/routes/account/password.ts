import {
  MAX_PASSWORD_LENGTH,
  MAX_SENT_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '../../../../core/sign-in/index.ts';
import { route } from '../../route.ts';
import { closed, dateTime, label, named, object, optional, secret, text } from '../../schema.ts';
import { Deleted, deleted, iso } from '../shapes.ts';
import { SignedInReply, sessionCookie, signedInReply } from './session-shapes.ts';

const tag = 'Signing in';

/** A password to compare: of any length that a stored one may be sent with. */
const sentPassword = secret(text({ maxLength: MAX_SENT_PASSWORD_LENGTH }));

export const passwordRoutes = [
  route({
    method: 'put',
    path: '/v1/me/password',
    tag,
    name: 'setPassword',
    summary: 'Set or change the password of the account',
    description:
      '`current` is required if a password is set, also of tokens. A password has 15 to 128 code points, is not one of the 10 000 most used or a repetition of one, and does not contain the name of the owner. A change ends the other sessions of the owner. `Idempotency-Key` is ignored.',
    access: 'owner',
    // A password signs in with every right.
    scope: 'unrestricted',
    needsRecentSignIn: true,
    errors: ['wrong_password'],
    body: {
      json: object({
        current: optional(sentPassword),
        password: secret(text({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH })),
      }),
    },
    reply: { json: named('PasswordState', closed({ set_at: dateTime() })) },
    run: (core, { caller, body }) =>
      core.signIn.setPassword(caller, {
        password: body.password,
        ...(body.current !== undefined && { current: body.current }),
      }),
    present: ({ setAt }) => ({ set_at: iso(setAt) }),
  }),
  route({
    method: 'delete',
    path: '/v1/me/password',
    tag,
    name: 'removePassword',
    summary: 'Remove the password of the account',
    description:
      'Ends the other sessions of the owner. A session can not remove the last way to sign in; a token can.',
    access: 'owner',
    scope: 'account',
    needsRecentSignIn: true,
    errors: ['not_configured', 'last_sign_in'],
    reply: { json: Deleted },
    run: (core, { caller }) => core.signIn.removePassword(caller),
    present: deleted,
  }),
  route({
    method: 'post',
    path: '/v1/sign-in/password',
    tag,
    name: 'signInByPassword',
    summary: 'Sign in with the name of the owner and a password',
    description:
      'A name without an account and a wrong password are the same error after the same time. Ten wrong passwords for a name from one network in 15 minutes reject more from there (429). After a hundred from all networks one attempt is checked every five seconds; `Retry-After` says when it is the turn of the caller.',
    access: 'sign-in',
    errors: ['sign_in_failed'],
    body: { json: object({ name: label(100), password: sentPassword }) },
    reply: { json: SignedInReply },
    run: (core, { client, current, body }) =>
      core.signIn.signInByPassword({ name: body.name, password: body.password, client, current }),
    present: signedInReply,
    setsCookie: sessionCookie,
  }),
];

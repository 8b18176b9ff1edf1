import type { Passkey } from '../../../../ports/sign-in.ts';
import { route } from '../../route.ts';
import {
  closed,
  dateTime,
  flag,
  freeForm,
  label,
  list,
  named,
  nullable,
  object,
  secret,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, iso, isoOrNull, listReply } from '../shapes.ts';
import { sessionCookie, SignedInReply, signedInReply } from './session-shapes.ts';

const tag = 'Signing in';

/** An answer has about 1 KiB. The longest, with an RSA key and extensions, stay below 8 KiB. */
const MAX_RESPONSE_BYTES = 16 * 1024;

const PasskeyCard = named(
  'Passkey',
  closed({
    id: uuid(),
    name: text(),
    created_at: dateTime(),
    last_used_at: nullable(dateTime()),
    is_backup_eligible: flag({
      description: 'Whether the authenticator may copy it to other devices.',
    }),
    is_backed_up: flag({ description: 'Whether it had copies when it was used last.' }),
    transports: list(text(), {
      description: 'How browsers reach it: `internal`, `hybrid`, `usb`.',
    }),
  }),
);

const passkeyCard = (passkey: Passkey): TypeOf<typeof PasskeyCard> => ({
  id: passkey.id,
  name: passkey.name,
  created_at: iso(passkey.createdAt),
  last_used_at: isoOrNull(passkey.lastUsedAt),
  is_backup_eligible: passkey.isBackupEligible,
  is_backed_up: passkey.isBackedUp,
  transports: [...passkey.transports],
});

const CreationOptions = named(
  'PasskeyCreationOptions',
  freeForm({
    description: '`PublicKeyCredentialCreationOptionsJSON` (Web Authentication level 3, §5.1.9).',
  }),
);
const RequestOptions = named(
  'PasskeyRequestOptions',
  freeForm({
    description: '`PublicKeyCredentialRequestOptionsJSON` (Web Authentication level 3, §5.1.10).',
  }),
);

const passkeyPath = object({ passkey_id: uuid() });
const name = label(100);
const response = secret(
  freeForm({ description: '`PublicKeyCredential.toJSON()` of what the browser returned.' }),
);

export const passkeySignInRoutes = [
  route({
    method: 'post',
    path: '/v1/sign-in/passkey/options',
    tag,
    name: 'beginPasskeySignIn',
    summary: 'Options for `navigator.credentials.get`, valid once and for five minutes',
    access: 'sign-in',
    errors: ['passkeys_unavailable'],
    reply: { json: RequestOptions },
    run: (core) => core.signIn.beginPasskeySignIn(),
    present: (options) => options,
  }),
  route({
    method: 'post',
    path: '/v1/sign-in/passkey',
    tag,
    name: 'signInWithPasskey',
    summary: 'Sign in with a passkey; sets the session cookie',
    access: 'sign-in',
    errors: ['sign_in_failed'],
    body: { json: object({ response }), maxBytes: MAX_RESPONSE_BYTES },
    reply: { json: SignedInReply },
    run: (core, { client, current, body }) =>
      core.signIn.signInWithPasskey(body.response, { client, current }),
    present: signedInReply,
    setsCookie: sessionCookie,
  }),
];

export const passkeyRoutes = [
  route({
    method: 'get',
    path: '/v1/me/passkeys',
    tag,
    name: 'listPasskeys',
    summary: "The owner's passkeys, earliest first",
    access: 'owner',
    scope: 'account',
    reply: { json: listReply('PasskeyList', PasskeyCard) },
    run: (core, { caller }) => core.signIn.listPasskeys(caller),
    present: ({ items, total }) => ({ items: items.map(passkeyCard), total }),
  }),
  route({
    method: 'post',
    path: '/v1/me/passkeys/options',
    tag,
    name: 'beginPasskey',
    summary: 'Options for `navigator.credentials.create`, valid once and for five minutes',
    description: 'They replace options that the owner has requested before.',
    access: 'owner',
    scope: 'unrestricted',
    needsRecentSignIn: true,
    errors: ['passkeys_unavailable', 'too_many_passkeys'],
    reply: { json: CreationOptions },
    run: (core, { caller }) => core.signIn.beginPasskey(caller),
    present: (options) => options,
  }),
  route({
    method: 'post',
    path: '/v1/me/passkeys',
    tag,
    name: 'addPasskey',
    summary: 'Register the passkey that the browser has created',
    access: 'owner',
    scope: 'unrestricted',
    needsRecentSignIn: true,
    acceptsIdempotencyKey: true,
    guessable: 'The answer of an authenticator signs a random challenge.',
    errors: ['passkey_rejected', 'too_many_passkeys'],
    body: { json: object({ name, response }), maxBytes: MAX_RESPONSE_BYTES },
    reply: { json: PasskeyCard },
    run: (core, { caller, body }) => core.signIn.addPasskey(caller, body),
    present: passkeyCard,
  }),
  route({
    method: 'patch',
    path: '/v1/me/passkeys/:passkey_id',
    tag,
    name: 'renamePasskey',
    summary: 'Rename a passkey',
    access: 'owner',
    scope: 'account',
    needsRecentSignIn: true,
    errors: ['not_found'],
    params: passkeyPath,
    body: { json: object({ name }) },
    reply: { json: PasskeyCard },
    run: (core, { caller, params, body }) =>
      core.signIn.renamePasskey(caller, params.passkey_id, body.name),
    present: passkeyCard,
  }),
  route({
    method: 'delete',
    path: '/v1/me/passkeys/:passkey_id',
    tag,
    name: 'removePasskey',
    summary: 'Remove a passkey',
    description:
      'A session cannot remove the last way to sign in. A token can, because it can create another one.',
    access: 'owner',
    scope: 'account',
    needsRecentSignIn: true,
    errors: ['not_found', 'last_sign_in'],
    params: passkeyPath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.signIn.removePasskey(caller, params.passkey_id),
    present: deleted,
  }),
];

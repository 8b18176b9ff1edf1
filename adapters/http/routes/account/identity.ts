import { MAX_TOKEN_FOLDERS, TOKEN_SCOPES } from '../../../../ports/identity.ts';
import { DEFAULT_TOKEN_DAYS } from '../../../../core/identity/index.ts';
import type { Caller } from '../../../../core/shared/caller.ts';
import { route } from '../../route.ts';
import type { CrossFieldRules } from '../../validation/json/json-validator.ts';
import {
  closed,
  dateTime,
  flag,
  int,
  label,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  optionalOrNull,
  secret,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, iso, isoOrNull, listReply, paging } from '../shapes.ts';
import { SessionCard, sessionCard } from './session-shapes.ts';
import { TokenCard, tokenCard, tokenFields } from './token-card.ts';

const tag = 'Identity';

const IssuedToken = named('IssuedToken', closed({ ...tokenFields, token: text() }));

const Me = named(
  'Me',
  closed({
    owner: closed({ id: uuid(), name: text(), role: text(), created_at: dateTime() }),
    tenant: closed({ id: uuid(), name: text() }),
    token: nullable(TokenCard),
    session: nullable(SessionCard),
  }),
);

const me = ({ owner, tenant, credential }: Caller): TypeOf<typeof Me> => ({
  owner: { id: owner.id, name: owner.name, role: owner.role, created_at: iso(owner.createdAt) },
  tenant: { id: tenant.id, name: tenant.name },
  token: credential.kind === 'token' ? tokenCard(credential.token) : null,
  session:
    credential.kind === 'session' ? sessionCard(credential.session, credential.session.id) : null,
});

/** The scopes of a token are given in one of two ways. */
const eitherAccessOrScopes: CrossFieldRules = (_params, { access, scopes }) =>
  access === undefined || scopes === undefined
    ? []
    : [
        {
          field: 'scopes',
          type: 'value_error',
          msg: 'Value error, access and scopes can not be given together',
          ctx: { error: {} },
        },
      ];

export const identityRoutes = [
  route({
    method: 'get',
    path: '/v1/me',
    tag,
    name: 'whoAmI',
    summary: 'Owner, tenant, and token or session of this request',
    access: 'owner',
    scope: 'any',
    reply: { json: Me },
    run: (_core, { caller }) => Promise.resolve(caller),
    present: me,
  }),
  route({
    method: 'get',
    path: '/v1/tokens',
    tag,
    name: 'listTokens',
    summary: "The owner's tokens, newest first",
    access: 'owner',
    scope: ['account', 'read'],
    query: object(paging),
    reply: { json: listReply('TokenList', TokenCard) },
    run: (core, { caller, query }) => core.identity.listTokens(caller, query),
    present: ({ items, total }) => ({ items: items.map(tokenCard), total }),
  }),
  route({
    method: 'post',
    path: '/v1/tokens',
    tag,
    name: 'createToken',
    summary: 'Create a token; its secret is shown once',
    description:
      'It has at most the scopes and the folders of the caller; more is 403 `forbidden`. A folder that does not exist is 404.',
    access: 'owner',
    scope: 'account',
    needsRecentSignIn: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found'],
    body: {
      json: object({
        name: label(100),
        expires_in_days: optionalOrNull(
          int({
            minimum: 1,
            maximum: 3650,
            description: `${DEFAULT_TOKEN_DAYS} if it is not sent; null: it never expires.`,
          }),
        ),
        access: optional({
          ...oneOf('full', 'read'),
          description:
            '`full` has all scopes, `read` has `read` and `ask` and stores no conversations. Without `scopes` the default is `full`.',
        }),
        scopes: optional(
          list(oneOf(...TOKEN_SCOPES), {
            minItems: 1,
            maxItems: TOKEN_SCOPES.length,
            uniqueItems: true,
            description: 'Instead of `access`.',
          }),
        ),
        collection_ids: optional(
          list(uuid(), {
            minItems: 1,
            maxItems: MAX_TOKEN_FOLDERS,
            uniqueItems: true,
            description: 'It sees these folders and their contents only.',
          }),
        ),
      }),
      crossFieldRules: eitherAccessOrScopes,
    },
    reply: { json: IssuedToken },
    run: (core, { caller, body }) =>
      core.identity.createToken(caller, {
        name: body.name,
        ...(body.expires_in_days !== undefined && { expiresInDays: body.expires_in_days }),
        ...(body.access !== undefined && { access: body.access }),
        ...(body.scopes !== undefined && { scopes: body.scopes }),
        ...(body.collection_ids !== undefined && { folderIds: body.collection_ids }),
      }),
    present: ({ token, bearer }) => ({ ...tokenCard(token), token: bearer }),
  }),
  route({
    method: 'delete',
    path: '/v1/tokens/:token_id',
    tag,
    name: 'revokeToken',
    summary: 'Revoke a token at once, in every process',
    access: 'owner',
    scope: 'account',
    errors: ['not_found'],
    params: object({ token_id: uuid() }),
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.identity.revokeToken(caller, params.token_id),
    present: deleted,
  }),
];

const pin = secret(text({ minLength: 4, maxLength: 12 }));
const Unlocked = named('Unlocked', closed({ token: text(), expires_in: int() }));
const unlocked = (u: { token: string; expiresIn: number }): TypeOf<typeof Unlocked> => ({
  token: u.token,
  expires_in: u.expiresIn,
});

const zone = 'Hidden zone';

export const hiddenZoneRoutes = [
  route({
    method: 'get',
    path: '/v1/hidden-pin',
    tag: zone,
    name: 'hiddenZoneState',
    summary: 'Whether a PIN is set, and whether this request has unlocked the zone',
    access: 'owner',
    scope: 'any',
    readsUnlockToken: true,
    reply: {
      json: named(
        'HiddenZoneState',
        closed({ configured: flag(), unlocked: flag(), locked_until: nullable(dateTime()) }),
      ),
    },
    run: (core, { caller }) => core.hiddenZone.pinState(caller),
    present: (s) => ({
      configured: s.configured,
      unlocked: s.unlocked,
      locked_until: isoOrNull(s.lockedUntil),
    }),
  }),
  route({
    method: 'post',
    path: '/v1/hidden-pin',
    tag: zone,
    name: 'setHiddenPin',
    summary: 'Set or change the PIN; returns an unlock token',
    description: 'Earlier unlock tokens end. `Idempotency-Key` is ignored.',
    access: 'owner',
    scope: 'account',
    errors: ['wrong_pin'],
    body: { json: object({ pin, old_pin: optional(secret(text({ maxLength: 100 }))) }) },
    reply: { json: Unlocked },
    run: (core, { caller, body }) =>
      core.hiddenZone.setPin(caller, {
        pin: body.pin,
        ...(body.old_pin !== undefined && { oldPin: body.old_pin }),
      }),
    present: unlocked,
  }),
  route({
    method: 'post',
    path: '/v1/hidden-pin/unlock',
    tag: zone,
    name: 'unlockHiddenZone',
    summary: 'Exchange the PIN for an unlock token',
    description:
      'Five wrong PINs in a row lock entry for 15 minutes. Every unlock issues a new token.',
    access: 'owner',
    scope: 'write',
    errors: ['wrong_pin', 'not_configured'],
    body: { json: object({ pin }) },
    reply: { json: Unlocked },
    run: (core, { caller, body }) => core.hiddenZone.unlockZone(caller, body.pin),
    present: unlocked,
  }),
  route({
    method: 'post',
    path: '/v1/hidden-pin/lock',
    tag: zone,
    name: 'lockHiddenZone',
    summary: 'End all unlock tokens',
    access: 'owner',
    scope: 'write',
    reply: { json: named('Locked', closed({ locked: flag() })) },
    run: (core, { caller }) => core.hiddenZone.lockZone(caller),
    present: () => ({ locked: true }),
  }),
  route({
    method: 'delete',
    path: '/v1/hidden-pin',
    tag: zone,
    name: 'removeHiddenPin',
    summary: 'Remove the PIN',
    access: 'owner',
    scope: 'account',
    needsRecentSignIn: true,
    errors: ['wrong_pin', 'not_configured'],
    body: { json: object({ pin }) },
    reply: { json: Deleted },
    run: (core, { caller, body }) => core.hiddenZone.removePin(caller, body.pin),
    present: deleted,
  }),
];

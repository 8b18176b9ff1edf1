import type { Token } from '../../../../ports/identity.ts';
import type { Caller } from '../../../../core/shared/caller.ts';
import { route } from '../../route.ts';
import {
  closed,
  dateTime,
  flag,
  int,
  label,
  named,
  nullable,
  object,
  oneOf,
  optional,
  secret,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, iso, isoOrNull, listReply, paging } from '../shapes.ts';

const tag = 'Identity';

const tokenFields = {
  id: uuid(),
  name: text(),
  prefix: text(),
  access: oneOf('full', 'read'),
  created_at: dateTime(),
  expires_at: nullable(dateTime()),
};
const TokenCard = named('TokenCard', closed(tokenFields));
const IssuedToken = named('IssuedToken', closed({ ...tokenFields, token: text() }));

const tokenCard = (token: Token): TypeOf<typeof TokenCard> => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  access: token.access,
  created_at: iso(token.createdAt),
  expires_at: isoOrNull(token.expiresAt),
});

const Me = named(
  'Me',
  closed({
    owner: closed({ id: uuid(), name: text(), role: text(), created_at: dateTime() }),
    tenant: closed({ id: uuid(), name: text() }),
    token: closed({
      id: uuid(),
      name: text(),
      prefix: text(),
      access: oneOf('full', 'read'),
      expires_at: nullable(dateTime()),
    }),
  }),
);

function me({ owner, tenant, token }: Caller): TypeOf<typeof Me> {
  const { id, name, prefix, access } = token;
  return {
    owner: { id: owner.id, name: owner.name, role: owner.role, created_at: iso(owner.createdAt) },
    tenant: { id: tenant.id, name: tenant.name },
    token: { id, name, prefix, access, expires_at: isoOrNull(token.expiresAt) },
  };
}

export const identityRoutes = [
  route({
    method: 'get',
    path: '/v1/me',
    tag,
    name: 'whoAmI',
    summary: 'Who this token belongs to',
    access: 'owner',
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
    summary: 'A new token; its secret is shown this once',
    access: 'owner',
    acceptsIdempotencyKey: true,
    body: {
      json: object({
        name: label(100),
        expires_in_days: optional(int({ minimum: 1, maximum: 3650 })),
        access: optional(oneOf('full', 'read')),
      }),
    },
    reply: { json: IssuedToken },
    run: (core, { caller, body }) =>
      core.identity.createToken(caller, {
        name: body.name,
        ...(body.expires_in_days !== undefined && { expiresInDays: body.expires_in_days }),
        ...(body.access !== undefined && { access: body.access }),
      }),
    present: ({ token, bearer }) => ({ ...tokenCard(token), token: bearer }),
  }),
  route({
    method: 'delete',
    path: '/v1/tokens/:token_id',
    tag,
    name: 'revokeToken',
    summary: 'Revoke a token at once',
    access: 'owner',
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
    summary: 'Whether a PIN is set, and whether this request has unlocked it',
    access: 'owner',
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
    summary: 'Set or change the PIN; answers with an unlock token',
    access: 'owner',
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
    summary: 'An unlock token for the right PIN',
    access: 'owner',
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
    summary: 'End every unlock token',
    access: 'owner',
    reply: { json: named('Locked', closed({ locked: flag() })) },
    run: (core, { caller }) => core.hiddenZone.lockZone(caller),
    present: () => ({ locked: true }),
  }),
  route({
    method: 'delete',
    path: '/v1/hidden-pin',
    tag: zone,
    name: 'removeHiddenPin',
    summary: 'Take the PIN off',
    access: 'owner',
    errors: ['wrong_pin', 'not_configured'],
    body: { json: object({ pin }) },
    reply: { json: Deleted },
    run: (core, { caller, body }) => core.hiddenZone.removePin(caller, body.pin),
    present: deleted,
  }),
];

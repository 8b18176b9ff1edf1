import { bytesRoute, route, streamRoute } from '../route.ts';
import {
  closed,
  int,
  list,
  named,
  object,
  oneOf,
  secret,
  text,
  uuid,
  withDefault,
} from '../schema.ts';
import { itemPaging, sharedContents, SharedContents, sharedItem, SharedItem } from './shares.ts';

const tag = 'Public shares';

/** Whatever it is: one that is no token opens nothing, and is told so like any other. */
const token = secret(text());
const tokenPath = object({ token });

/** What lies under a share's link, for whoever has it. Nothing else of the owner is told. */
export const visitRoutes = [
  route({
    method: 'get',
    path: '/v1/public/shares/:token',
    tag,
    name: 'visitShare',
    summary: 'What a link shows, newest first',
    description:
      'A share with a password has `unlocked` false and no items until `x-share-access` is sent. Whatever shows nothing any more is the same 404.',
    access: 'visitor',
    locked: true,
    errors: ['not_found'],
    params: tokenPath,
    query: object(itemPaging),
    reply: { json: SharedContents },
    run: (core, { visitor, params, query }) => core.shares.visitShare(visitor, params.token, query),
    present: sharedContents,
  }),
  route({
    method: 'post',
    path: '/v1/public/shares/:token/unlock',
    tag,
    name: 'unlockShare',
    summary: 'Tell the password of a share',
    description:
      '`access` is sent as `x-share-access` from then on; `expires_in` is in seconds. Five wrong passwords from one address in 15 minutes are 429.',
    access: 'visitor',
    errors: ['not_found', 'wrong_password', 'not_configured'],
    params: tokenPath,
    body: { json: object({ password: secret(text({ minLength: 1, maxLength: 128 })) }) },
    reply: { json: named('UnlockedShare', closed({ access: text(), expires_in: int() })) },
    run: (core, { visitor, params, body }) =>
      core.shares.unlockShare(visitor, params.token, body.password),
    present: ({ access, expiresIn }) => ({ access, expires_in: expiresIn }),
  }),
  bytesRoute({
    method: 'get',
    path: '/v1/public/shares/:token/objects/:object_id/content',
    tag,
    name: 'readShared',
    summary: 'The bytes of a file that a link shows, whole or by range',
    access: 'visitor',
    locked: true,
    errors: ['not_found', 'password_required', 'range_not_satisfiable'],
    params: object({ token, object_id: uuid() }),
    query: object({ disposition: withDefault(oneOf('inline', 'attachment'), 'attachment') }),
    reply: { bytes: 'application/octet-stream' },
    run: async (core, { visitor, params, query }) => ({
      content: await core.shares.readShared(visitor, params.token, params.object_id),
      options: { disposition: query.disposition },
    }),
  }),
  streamRoute({
    method: 'get',
    path: '/v1/public/shares/:token/archive',
    tag,
    name: 'archiveShared',
    summary: 'Everything a link shows, as one ZIP file',
    description:
      'Names that a desktop can not keep are changed, and of two that are alike the later one gets a number. HEAD answers with the headers and makes nothing.',
    access: 'visitor',
    locked: true,
    errors: ['not_found', 'password_required'],
    params: tokenPath,
    reply: { stream: 'application/zip' },
    run: (core, { visitor, params }) => core.shares.archiveShared(visitor, params.token),
  }),
  route({
    method: 'post',
    path: '/v1/public/shares/:token/uploads',
    tag,
    name: 'uploadShared',
    summary: 'Put files into a shared folder, as a contributor',
    description:
      'All files of the request or none. Fields beside `file` steer nothing. They count towards the storage of the owner, who is told.',
    access: 'visitor',
    locked: true,
    creates: true,
    errors: ['not_found', 'password_required', 'forbidden', 'plan_limit'],
    params: tokenPath,
    body: { multipart: object({}), files: { name: 'file', many: true } },
    reply: { json: named('SharedUploads', closed({ items: list(SharedItem) })) },
    host: (core, visitor, params) => core.shares.hostOfUpload(visitor, params['token'] ?? ''),
    run: (core, { visitor, host, files }) => core.shares.uploadShared(visitor, host, files),
    present: (objects) => ({ items: objects.map(sharedItem) }),
  }),
];

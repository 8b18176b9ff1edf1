import type { SharedPreview } from '../../../../core/shares/index.ts';
import type { ErrorReply } from '../../pipeline/errors.ts';
import { MAX_FILES } from '../../request/multipart.ts';
import { errorPage } from '../../pages/error-page.ts';
import { objectPage } from '../../pages/object-page.ts';
import { sharePage } from '../../pages/share-page.ts';
import { shareAddress, type BaseUrl } from '../../pages/base-url.ts';
import { bytesRoute, route, streamRoute } from '../../route.ts';
import {
  closed,
  flag,
  int,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  secret,
  text,
  uuid,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import { itemPaging, sharedContents, SharedContents, sharedItem, SharedItem } from './shares.ts';

/** Any string: an invalid token gets the same 404 as an unknown one. */
const token = secret(text());
const tokenPath = object({ token });

const SharedPreviewReply = named(
  'SharedPreview',
  closed({
    ...SharedItem.properties,
    text: nullable(text({ description: 'Null without a text.' })),
    text_complete: flag({ description: 'False if the text was cut.' }),
    text_awaited: flag({ description: 'Whether extraction is still running.' }),
    newer: nullable(uuid({ description: 'The previous item of the list, if `at` is correct.' })),
    older: nullable(uuid({ description: 'The next item of the list.' })),
  }),
);
const sharedPreview = (of: SharedPreview): TypeOf<typeof SharedPreviewReply> => ({
  ...sharedItem(of.object),
  text: of.text,
  text_complete: of.textComplete,
  text_awaited: of.textAwaited,
  newer: of.newer,
  older: of.older,
});

/** Pixels of the longest side. Only two sizes, so that visitors share the stored thumbnails. */
const SIDES = { small: 128, large: 1_024 } as const;

type Params = Readonly<Record<string, string>>;

/** Browsers get an HTML page for every error. */
const forVisitors = {
  tag: 'Public shares',
  access: 'visitor',
  errorPage: (failure: ErrorReply, { token: sent = '' }: Params, site: BaseUrl) =>
    errorPage({ site, token: sent, unlocking: false }, failure),
} as const;

const objectPath = object({ token, object_id: uuid() });
/** Number of files that were just uploaded, for a message on the page. A number, so that a link cannot inject text. */
const uploaded = optional(int({ minimum: 1, maximum: MAX_FILES }));

/** The content of a share for holders of its link. No other data of the owner is included. */
export const visitRoutes = [
  route({
    method: 'get',
    path: '/v1/public/shares/:token',
    name: 'visitShare',
    summary: 'Contents of a share, newest first',
    description:
      'A share with a password has `unlocked` false and no items until `x-share-access` is sent. Unknown, revoked, expired and suspended shares give the same 404. Browsers get a page and a cookie that keeps the share unlocked; `uploaded` is used by that page only.',
    ...forVisitors,
    readsShareAccess: true,
    errors: ['not_found'],
    params: tokenPath,
    query: object({ ...itemPaging, uploaded }),
    reply: { json: SharedContents },
    run: (core, { visitor, params, query }) => core.shares.visitShare(visitor, params.token, query),
    present: sharedContents,
    page: async (core, share, { visitor, params, query }, site) => {
      const [item] = share.items;
      const file =
        share.kind === 'file' && item
          ? sharedPreview(await core.shares.previewShared(visitor, params.token, item.id))
          : undefined;
      return sharePage({ site, token: params.token, ...query, ...(file && { file }) }, share);
    },
  }),
  route({
    method: 'post',
    path: '/v1/public/shares/:token/unlock',
    name: 'unlockShare',
    summary: 'Exchange the password of a share for an access token',
    description:
      'Send `access` as `x-share-access`; `expires_in` is in seconds. Five wrong passwords from one address in 15 minutes are 429. After 50 wrong ones from all addresses in 15 minutes the share accepts one attempt every three seconds; an earlier attempt is 429, and the time in `Retry-After` is reserved for its address for a minute.',
    ...forVisitors,
    errorPage: (failure, { token: sent = '' }, site) =>
      errorPage({ site, token: sent, unlocking: true }, failure),
    errors: ['not_found', 'wrong_password', 'forbidden', 'not_configured'],
    params: tokenPath,
    body: { json: object({ password: secret(text({ minLength: 1, maxLength: 128 })) }) },
    reply: { json: named('UnlockedShare', closed({ access: text(), expires_in: int() })) },
    run: (core, { visitor, params, body }) =>
      core.shares.unlockShare(visitor, params.token, body.password),
    present: ({ access, expiresIn }) => ({ access, expires_in: expiresIn }),
    page: async (_core, { access, expires_in: maxAgeSeconds }, { params }, site) => {
      const path = shareAddress(site, params.token);
      return { seeOther: path, cookie: { access, path, maxAgeSeconds } };
    },
  }),
  route({
    method: 'get',
    path: '/v1/public/shares/:token/objects/:object_id',
    name: 'lookAtShared',
    summary: 'A file of a share with the beginning of its text',
    description:
      "The text is the extracted one, without the owner's corrections. For a link it is the address.",
    ...forVisitors,
    readsShareAccess: true,
    errors: ['not_found', 'password_required'],
    params: objectPath,
    query: object({
      at: optional(int({ minimum: 0, description: 'Its position in the list, from 0.' })),
    }),
    reply: { json: SharedPreviewReply },
    run: (core, { visitor, params, query }) =>
      core.shares.previewShared(visitor, params.token, params.object_id, query.at),
    present: sharedPreview,
    page: async (_core, file, { params, query }, site) =>
      objectPage({ site, token: params.token }, file, query.at),
  }),
  bytesRoute({
    method: 'get',
    path: '/v1/public/shares/:token/objects/:object_id/thumbnail',
    name: 'readSharedThumbnail',
    summary: 'A WebP thumbnail of an image or of the first page of a PDF in a share',
    description:
      'The longest side is 128 pixels for `small`, 1 024 for `large`, or fewer if the image is smaller. Unsupported files, and links, are 415. Limited to 600 per minute and address, counted apart from other requests.',
    ...forVisitors,
    readsShareAccess: true,
    isThumbnail: true,
    errors: ['not_found', 'password_required', 'unsupported_type', 'range_not_satisfiable'],
    params: objectPath,
    query: object({ size: withDefault(oneOf('small', 'large'), 'small') }),
    reply: { bytes: 'image/webp' },
    run: async (core, { visitor, params, query }) => ({
      content: await core.shares.readSharedThumbnail(
        visitor,
        params.token,
        params.object_id,
        SIDES[query.size],
      ),
      options: { disposition: 'inline' },
    }),
  }),
  bytesRoute({
    method: 'get',
    path: '/v1/public/shares/:token/objects/:object_id/content',
    name: 'readShared',
    summary: 'The bytes of a file of a share, whole or by range',
    ...forVisitors,
    readsShareAccess: true,
    errors: ['not_found', 'password_required', 'range_not_satisfiable'],
    params: objectPath,
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
    name: 'archiveShared',
    summary: 'All files of a share as one ZIP',
    description:
      'Names that an operating system cannot store are changed; of two equal names the later one gets a number. HEAD returns the headers only.',
    ...forVisitors,
    readsShareAccess: true,
    errors: ['not_found', 'password_required'],
    params: tokenPath,
    reply: { stream: 'application/zip' },
    run: (core, { visitor, params }) => core.shares.archiveShared(visitor, params.token),
  }),
  route({
    method: 'post',
    path: '/v1/public/shares/:token/uploads',
    name: 'uploadShared',
    summary: 'Upload files into a shared folder, as a contributor',
    description:
      "All files of the request or none. Other form fields have no effect. Files count towards the owner's storage; the owner is notified. Beyond the bytes of the share's quota it is 413 `too_large`, beyond its number of files 409 `share_quota`.",
    ...forVisitors,
    readsShareAccess: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'password_required', 'forbidden', 'plan_limit', 'share_quota'],
    params: tokenPath,
    body: { multipart: object({}), files: { name: 'file', many: true } },
    reply: { json: named('SharedUploads', closed({ items: list(SharedItem) })) },
    host: (core, visitor, params, mayRepeat) =>
      core.shares.uploadTarget(visitor, params['token'] ?? '', mayRepeat),
    run: (core, { visitor, host, files }) => core.shares.uploadShared(visitor, host, files),
    present: (objects) => ({ items: objects.map(sharedItem) }),
    page: async (_core, { items }, { params }, site) => ({
      seeOther: shareAddress(site, params.token, `?uploaded=${items.length}#came-in`),
    }),
  }),
];

import { SHARE_KINDS, SHARE_ROLES } from '../../../../ports/shares.ts';
import type { ObjectSummary } from '../../../../ports/objects.ts';
import {
  SENSITIVE_TYPES,
  SHARE_STATES,
  SHARE_STATE_REASONS,
  type NewShare,
  type ShareContents,
  type SharePreview,
  type ShareView,
} from '../../../../core/shares/index.ts';
import { route } from '../../route.ts';
import {
  clearable,
  closed,
  dateTime,
  flag,
  int,
  list,
  named,
  nullable,
  object,
  objectId,
  objectIdWhere,
  oneOf,
  optional,
  secret,
  text,
  uuid,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, iso, isoOrNull, listReply, paging } from '../shapes.ts';

const tag = 'Shares';

const ShareLink = named(
  'ShareLink',
  closed({
    id: uuid(),
    kind: oneOf(...SHARE_KINDS),
    resource_id: objectIdWhere('kind', 'file'),
    resource_name: text(),
    role: oneOf(...SHARE_ROLES),
    name: text(),
    has_password: flag(),
    expires_at: nullable(dateTime()),
    state: {
      ...oneOf(...SHARE_STATES),
      description:
        'What a visitor meets now: the content, the question for the password, or, if it is `expired` or `suspended`, nothing. A suspended share works again when its file is shown or restored.',
    },
    state_reason: {
      ...nullable(oneOf(...SHARE_STATE_REASONS)),
      description: 'Why it is not `open`; null if it is.',
    },
    access_count: int({ description: 'Number of visits.' }),
    upload_count: int({ description: 'Number of uploaded files.' }),
    uploaded_bytes: int({
      description: 'Bytes of uploaded files. Deleting files decreases neither number.',
    }),
    max_upload_bytes: int({ description: 'Quota of bytes for all uploads of contributors.' }),
    max_upload_files: int({ description: 'Quota of files for all uploads of contributors.' }),
    prefix: text({ description: 'The first six characters of the token.' }),
    token: nullable(text({ description: 'Shown once, when the share is created.' })),
    url: text({ description: 'Empty if the token is not shown.' }),
    created_at: dateTime(),
  }),
);

const shareLink = ({
  share,
  resourceName,
  state,
  stateReason,
  token,
  url,
}: ShareView): TypeOf<typeof ShareLink> => ({
  id: share.id,
  kind: share.kind,
  resource_id: share.resourceId,
  resource_name: resourceName,
  role: share.role,
  name: share.name,
  has_password: share.passwordHash !== null,
  expires_at: isoOrNull(share.expiresAt),
  state,
  state_reason: stateReason,
  access_count: share.accessCount,
  upload_count: share.uploadCount,
  uploaded_bytes: share.uploadedBytes,
  max_upload_bytes: share.maxUploadBytes,
  max_upload_files: share.maxUploadFiles,
  prefix: share.prefix,
  token,
  url,
  created_at: iso(share.createdAt),
});

export const SharedItem = named(
  'SharedItem',
  closed({ id: objectId(), filename: text(), mime: text(), size: int(), created_at: dateTime() }),
);

export const sharedItem = (o: ObjectSummary): TypeOf<typeof SharedItem> => ({
  id: o.id,
  filename: o.filename,
  mime: o.mime,
  size: o.size,
  created_at: iso(o.createdAt),
});

export const SharedContents = named(
  'SharedContents',
  closed({
    kind: oneOf(...SHARE_KINDS),
    name: text(),
    resource_name: text({ description: 'Empty while the share is locked.' }),
    role: oneOf(...SHARE_ROLES),
    has_password: flag(),
    unlocked: flag(),
    expires_at: nullable(dateTime()),
    items: list(SharedItem),
    total: int(),
  }),
);

export const sharedContents = (of: ShareContents): TypeOf<typeof SharedContents> => ({
  kind: of.share.kind,
  name: of.share.name,
  resource_name: of.resourceName,
  role: of.share.role,
  has_password: of.share.passwordHash !== null,
  unlocked: of.unlocked,
  expires_at: isoOrNull(of.share.expiresAt),
  items: of.items.map(sharedItem),
  total: of.total,
});

const Preview = named(
  'SharePreview',
  closed({
    contents: SharedContents,
    warnings: list(
      closed({
        doc_type: oneOf(...SENSITIVE_TYPES),
        count: int(),
        items: list(SharedItem, { description: 'The newest of them, at most five.' }),
      }),
    ),
  }),
);

const preview = ({ contents, warnings }: SharePreview): TypeOf<typeof Preview> => ({
  contents: sharedContents(contents),
  warnings: warnings.map(({ docType, count, newest }) => ({
    doc_type: docType,
    count,
    items: newest.map(sharedItem),
  })),
});

/** A visitor's list is longer than others: a folder is to be seen at once. */
export const itemPaging = {
  limit: withDefault(int({ minimum: 1, maximum: 1_000 }), 100),
  offset: withDefault(int({ minimum: 0 }), 0),
};

const sharePath = object({ share_id: uuid() });
const name = { ...text({ maxLength: 120 }), trimmed: true };
const days = int({ minimum: 1, maximum: 365 });
const password = text({ minLength: 8, maxLength: 128 });
const uploadLimits = {
  max_upload_bytes: int({ minimum: 1, maximum: 2 ** 40 }),
  max_upload_files: int({ minimum: 1, maximum: 100_000 }),
};
/** The limits of uploads as the core calls them. */
const limitsOf = <T>(body: { max_upload_bytes?: T; max_upload_files?: T }) => ({
  ...(body.max_upload_bytes !== undefined && { maxUploadBytes: body.max_upload_bytes }),
  ...(body.max_upload_files !== undefined && { maxUploadFiles: body.max_upload_files }),
});

const Creation = object({
  kind: oneOf(...SHARE_KINDS),
  resource_id: uuid(),
  role: withDefault(oneOf(...SHARE_ROLES), 'viewer'),
  name: withDefault(name, ''),
  password: optional(secret(password)),
  expires_in_days: optional(days),
  max_upload_bytes: optional(uploadLimits.max_upload_bytes),
  max_upload_files: optional(uploadLimits.max_upload_files),
});

const creation = (body: TypeOf<typeof Creation>): NewShare => ({
  kind: body.kind,
  resourceId: body.resource_id,
  role: body.role,
  name: body.name,
  ...(body.password !== undefined && { password: body.password }),
  ...(body.expires_in_days !== undefined && { expiresInDays: body.expires_in_days }),
  ...limitsOf(body),
});

export const shareRoutes = [
  route({
    method: 'get',
    path: '/v1/shares',
    tag,
    name: 'listShares',
    summary: 'Shares of folders and files, newest first',
    access: 'owner',
    scope: ['shares', 'read'],
    readsUnlockToken: true,
    query: object({
      ...paging,
      kind: optional(oneOf(...SHARE_KINDS)),
      resource_id: optional(uuid()),
    }),
    reply: { json: listReply('ShareLinkList', ShareLink) },
    run: (core, { caller, query: { limit, offset, kind, resource_id } }) =>
      core.shares.listShares(caller, {
        limit,
        offset,
        ...(kind !== undefined && { kind }),
        ...(resource_id !== undefined && { resourceId: resource_id }),
      }),
    present: ({ items, total }) => ({ items: items.map(shareLink), total }),
  }),
  route({
    method: 'post',
    path: '/v1/shares',
    tag,
    name: 'createShare',
    summary: 'Create a share of a folder or a file',
    description:
      'Everyone with the link sees the file, or the current content of the folder; a `contributor` also uploads into the folder, 1 GiB and 500 files in all unless `max_upload_bytes` and `max_upload_files` are set. A password has at least eight characters. `token` and `url` are shown once.',
    access: 'owner',
    scope: 'shares',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    guessable:
      'Only a token that could set another password, and with the key of the creation, can try one.',
    errors: ['not_found', 'in_trash', 'is_hidden', 'too_many_shares'],
    body: { json: Creation },
    reply: { json: ShareLink },
    run: (core, { caller, body }) => core.shares.createShare(caller, creation(body)),
    present: shareLink,
  }),
  route({
    method: 'post',
    path: '/v1/shares/preview',
    tag,
    name: 'previewNewShare',
    summary: 'What a visitor would see of a share; nothing is created',
    description:
      'The body and the errors are those of the creation. `contents` is the first page of `GET /v1/shares/{share_id}/contents` after the creation, without hidden objects and those in the trash, also if the hidden zone is unlocked. `warnings` names types of documents among them that are rarely meant for others. A password is not stored.',
    access: 'owner',
    scope: 'shares',
    readsUnlockToken: true,
    errors: ['not_found', 'in_trash', 'is_hidden', 'too_many_shares'],
    body: { json: Creation },
    reply: { json: Preview },
    run: (core, { caller, body }) => core.shares.previewNewShare(caller, creation(body)),
    present: preview,
  }),
  route({
    method: 'get',
    path: '/v1/shares/:share_id',
    tag,
    name: 'getShare',
    summary: 'One share, without its token',
    access: 'owner',
    scope: ['shares', 'read'],
    readsUnlockToken: true,
    errors: ['not_found'],
    params: sharePath,
    reply: { json: ShareLink },
    run: (core, { caller, params }) => core.shares.getShare(caller, params.share_id),
    present: shareLink,
  }),
  route({
    method: 'patch',
    path: '/v1/shares/:share_id',
    tag,
    name: 'editShare',
    summary: 'Change name, role, password, expiry or quotas of a share',
    description:
      'An empty `password` removes it; any change of it ends the access of unlocked visitors. `expires_in_days` counts from now; an empty string means never. An empty `max_upload_bytes` or `max_upload_files` means the default.',
    access: 'owner',
    scope: 'shares',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: sharePath,
    body: {
      json: object({
        name: optional(name),
        role: optional(oneOf(...SHARE_ROLES)),
        password: optional(secret(clearable(password))),
        expires_in_days: optional(clearable(days)),
        max_upload_bytes: optional(clearable(uploadLimits.max_upload_bytes)),
        max_upload_files: optional(clearable(uploadLimits.max_upload_files)),
      }),
    },
    reply: { json: ShareLink },
    run: (core, { caller, params, body }) =>
      core.shares.editShare(caller, params.share_id, {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.role !== undefined && { role: body.role }),
        ...(body.password !== undefined && { password: body.password ?? '' }),
        ...(body.expires_in_days !== undefined && { expiresInDays: body.expires_in_days }),
        ...limitsOf(body),
      }),
    present: shareLink,
  }),
  route({
    method: 'delete',
    path: '/v1/shares/:share_id',
    tag,
    name: 'revokeShare',
    summary: 'Revoke a share at once and permanently',
    access: 'owner',
    scope: 'shares',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: sharePath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.shares.revokeShare(caller, params.share_id),
    present: deleted,
  }),
  route({
    method: 'get',
    path: '/v1/shares/:share_id/contents',
    tag,
    name: 'getShareContents',
    summary: 'What an unlocked visitor sees now',
    description: '404 where a visitor gets 404.',
    access: 'owner',
    scope: ['shares', 'read'],
    readsUnlockToken: true,
    errors: ['not_found'],
    params: sharePath,
    query: object(itemPaging),
    reply: { json: SharedContents },
    run: (core, { caller, params, query }) =>
      core.shares.shareContents(caller, params.share_id, query),
    present: sharedContents,
  }),
];

import type { ObjectVersion } from '../../../../ports/contents.ts';
import type { CurrentText } from '../../../../core/processing/index.ts';
import { bytesRoute, route } from '../../route.ts';
import { missingFile } from '../../request/multipart.ts';
import {
  closed,
  dateTime,
  filename,
  flag,
  int,
  list,
  named,
  object,
  objectId,
  oneOf,
  optional,
  text,
  url,
  uuid,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import {
  Deleted,
  ObjectDetail,
  deleted,
  iso,
  listReply,
  objectDetail,
  objectPath,
  paging,
} from '../shapes.ts';

const tag = 'Contents';

const placement = { collection_id: optional(uuid()), is_hidden: optional(flag()) };
const placementOf = (sent: { collection_id?: string; is_hidden?: boolean }) => ({
  ...(sent.collection_id !== undefined && { collectionId: sent.collection_id }),
  ...(sent.is_hidden !== undefined && { isHidden: sent.is_hidden }),
});

/** A note of markdown. */
export const noteFields = { content: text(), title: optional(filename()), ...placement };

const UploadedObject = named(
  'UploadedObject',
  closed({ ...ObjectDetail.properties, duplicate: flag() }),
);

const Version = named(
  'ObjectVersion',
  closed({
    version: int(),
    size: int(),
    content_hash: text(),
    created_at: dateTime(),
    origin: oneOf('upload', 'inbox', 'save', 'image', 'office', 'restore'),
  }),
);
const version = (v: ObjectVersion): TypeOf<typeof Version> => ({
  version: v.version,
  size: v.size,
  content_hash: v.sha256,
  created_at: iso(v.createdAt),
  origin: v.origin,
});

const Text = named(
  'ObjectText',
  closed({
    object_id: uuid(),
    version: int(),
    text: text(),
    source: oneOf('native', 'extracted', 'ocr', 'corrected'),
    language: text(),
    pages: list(closed({ page: int(), char_start: int(), char_end: int() })),
  }),
);
const textOf = (t: CurrentText): TypeOf<typeof Text> => ({
  object_id: t.objectId,
  version: t.version,
  text: t.text,
  source: t.source,
  language: t.language,
  pages: t.pages.map((p) => ({ page: p.page, char_start: p.charStart, char_end: p.charEnd })),
});

const Accepted = named('AcceptedTask', closed({ task_id: text(), status: oneOf('accepted') }));

const baseVersion = int({ minimum: 1 });

export const contentRoutes = [
  route({
    method: 'post',
    path: '/v1/uploads',
    tag,
    name: 'uploadFiles',
    summary: 'Upload files: all of the request or none',
    description:
      'At most 100 files. `on_duplicate` compares with current contents only, not with earlier versions or the trash. A file needs quota for all its bytes, also if the bytes are stored already.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['plan_limit', 'not_found', 'already_exists', 'too_large'],
    body: {
      multipart: object({
        ...placement,
        on_duplicate: optional(oneOf('keep', 'return', 'reject')),
      }),
      files: { name: 'file', many: true },
    },
    reply: {
      json: named('Uploads', closed({ items: list(UploadedObject) })),
    },
    run: (core, { caller, body, files }) =>
      core.objects.addFiles(caller, files, {
        ...placementOf(body),
        ...(body.on_duplicate !== undefined && { onDuplicate: body.on_duplicate }),
      }),
    present: (added) => ({
      items: added.map((view) => ({ ...objectDetail(view), duplicate: view.duplicate })),
    }),
  }),
  route({
    method: 'post',
    path: '/v1/objects/notes',
    tag,
    name: 'createNote',
    summary: 'Create a Markdown note',
    description: 'Without a `title` it is named after the first 120 code points of its first line.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['plan_limit', 'not_found'],
    body: {
      json: object(noteFields),
    },
    reply: { json: ObjectDetail },
    run: (core, { caller, body }) =>
      core.objects.addNote(caller, {
        content: body.content,
        ...(body.title !== undefined && { title: body.title }),
        ...placementOf(body),
      }),
    present: objectDetail,
  }),
  route({
    method: 'post',
    path: '/v1/objects/links',
    tag,
    name: 'createLink',
    summary: 'Store a web page, which is fetched in the background',
    description:
      'An address that is blocked or unavailable ends as `failed`. Without a `title` the link is named after host and path, then after the title of the page.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['plan_limit', 'not_found'],
    body: {
      json: object({
        url: url(),
        title: optional(filename()),
        ...placement,
      }),
    },
    reply: { json: ObjectDetail },
    run: (core, { caller, body }) =>
      core.objects.addLink(caller, {
        url: body.url,
        ...(body.title !== undefined && { title: body.title }),
        ...placementOf(body),
      }),
    present: objectDetail,
  }),
  bytesRoute({
    method: 'get',
    path: '/v1/objects/:object_id/content',
    tag,
    name: 'readContent',
    summary: 'The bytes of an object, whole or by range',
    description:
      '`disposition=inline` applies to an allow-list of types; others are sent as `attachment`. Several ranges return the whole file.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found', 'range_not_satisfiable'],
    params: objectPath,
    query: object({
      disposition: withDefault(oneOf('inline', 'attachment'), 'attachment'),
      version: optional(int({ minimum: 1 })),
    }),
    reply: { bytes: 'application/octet-stream' },
    run: async (core, { caller, params, query }) => ({
      content: await core.objects.readContent(caller, params.object_id, query.version),
      options: { disposition: query.disposition },
    }),
  }),
  bytesRoute({
    method: 'get',
    path: '/v1/objects/:object_id/thumbnail',
    tag,
    name: 'readThumbnail',
    summary: 'A WebP thumbnail of an image or of the first page of a PDF',
    description:
      'The longest side is `size` pixels, or fewer if the image is smaller. Unsupported files, such as HEIC, are 415.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found', 'unsupported_type', 'range_not_satisfiable'],
    params: objectPath,
    query: object({ size: withDefault(int({ minimum: 64, maximum: 1024 }), 256) }),
    reply: { bytes: 'image/webp' },
    run: async (core, { caller, params, query }) => ({
      content: await core.objects.readThumbnail(caller, params.object_id, query.size),
      options: { disposition: 'inline' },
    }),
  }),
  route({
    method: 'put',
    path: '/v1/objects/:object_id/content',
    tag,
    name: 'saveContent',
    summary: 'Save the text of a note or text file as its next version',
    description:
      'Another `version` than `base_version` is 409 `version_conflict`. Links and binary files are 415.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['plan_limit', 'not_found', 'version_conflict', 'in_trash', 'unsupported_type'],
    params: objectPath,
    body: { json: object({ content: text(), base_version: baseVersion }) },
    reply: { json: ObjectDetail },
    run: (core, { caller, params, body }) =>
      core.objects.saveText(caller, params.object_id, {
        content: body.content,
        baseVersion: body.base_version,
      }),
    present: objectDetail,
  }),
  route({
    method: 'post',
    path: '/v1/objects/:object_id/content',
    tag,
    name: 'uploadContent',
    summary: 'Upload a new version of any file except a link',
    description: 'Another `version` than `base_version` is 409 `version_conflict`.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: [
      'plan_limit',
      'not_found',
      'version_conflict',
      'in_trash',
      'unsupported_type',
      'too_large',
    ],
    params: objectPath,
    body: {
      multipart: object({ base_version: baseVersion }),
      files: { name: 'file', many: false },
    },
    reply: { json: ObjectDetail },
    run: async (core, { caller, params, body, files }) => {
      const [file] = files;
      if (!file) throw missingFile();
      return core.objects.saveFile(caller, params.object_id, {
        file,
        baseVersion: body.base_version,
      });
    },
    present: objectDetail,
  }),
  route({
    method: 'get',
    path: '/v1/objects/:object_id/versions',
    tag,
    name: 'listVersions',
    summary: 'All contents of an object, newest first',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: objectPath,
    query: object(paging),
    reply: { json: listReply('ObjectVersionList', Version) },
    run: (core, { caller, params, query }) =>
      core.objects.listVersions(caller, params.object_id, query),
    present: ({ items, total }) => ({ items: items.map(version), total }),
  }),
  route({
    method: 'post',
    path: '/v1/objects/:object_id/versions/:version/restore',
    tag,
    name: 'restoreVersion',
    summary: 'Restore an earlier content as a new version',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'in_trash'],
    params: object({ object_id: objectId(), version: int({ minimum: 1 }) }),
    reply: { json: ObjectDetail },
    run: (core, { caller, params }) =>
      core.objects.restoreVersion(caller, params.object_id, params.version),
    present: objectDetail,
  }),
  route({
    method: 'post',
    path: '/v1/objects/:object_id/enrich',
    tag,
    name: 'enrichObject',
    summary: "Read and enrich an object again: a file's bytes, a link's page",
    description:
      'There is one such task per object: a repeat while it waits returns the same `task_id`.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'in_trash'],
    params: objectPath,
    reply: { json: Accepted },
    run: (core, { caller, params }) => core.processing.reprocessObject(caller, params.object_id),
    present: ({ taskId }) => ({ task_id: taskId, status: 'accepted' as const }),
  }),
  route({
    method: 'get',
    path: '/v1/objects/:object_id/text',
    tag,
    name: 'getText',
    summary: 'The text of an object; offsets count its code points',
    description: '404 while there is no text.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: objectPath,
    reply: { json: Text },
    run: (core, { caller, params }) => core.processing.getText(caller, params.object_id),
    present: textOf,
  }),
  route({
    method: 'put',
    path: '/v1/objects/:object_id/text',
    tag,
    name: 'correctText',
    summary: 'Save a correction over the extracted text',
    description:
      'A correction does not raise `version` and counts in `storage_bytes`. A new content drops it.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['not_found', 'version_conflict', 'in_trash', 'plan_limit'],
    params: objectPath,
    body: { json: object({ text: text(), base_version: baseVersion }) },
    reply: { json: Text },
    run: (core, { caller, params, body }) =>
      core.processing.correctText(caller, params.object_id, {
        text: body.text,
        baseVersion: body.base_version,
      }),
    present: textOf,
  }),
  route({
    method: 'delete',
    path: '/v1/objects/:object_id/text',
    tag,
    name: 'dropCorrection',
    summary: 'Remove the correction and restore the extracted text',
    description: '404 without a correction.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['not_found', 'in_trash'],
    params: objectPath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.processing.dropCorrection(caller, params.object_id),
    present: deleted,
  }),
];

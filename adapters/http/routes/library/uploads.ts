import { tusRoute } from '../../route.ts';
import { int, object, oneOf, optional, text, uuid } from '../../schema.ts';

const tag = 'Uploads';
const path = '/v1/uploads/resumable';
const mediaType = 'application/offset+octet-stream';

const uploadPath = object({ upload_id: uuid() });
const version = { 'tus-resumable': oneOf('1.0.0') };
const checksum = {
  'upload-checksum': optional(
    text({ description: '`sha1`, `sha256`, `sha512` or `md5`, and the digest in base64.' }),
  ),
};
const RESUMED = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires', 'Object-Id', 'Task-Id'];

/** tus 1.0.0: the protocol determines methods, headers and statuses. */
export const uploadRoutes = [
  tusRoute({
    method: 'options',
    path,
    tag,
    name: 'describeResumableUploads',
    summary: 'Version, extensions and limits of resumable uploads',
    access: 'public',
    reply: {
      tus: {
        status: 204,
        headers: ['Tus-Version', 'Tus-Extension', 'Tus-Max-Size', 'Tus-Checksum-Algorithm'],
      },
    },
  }),
  tusRoute({
    method: 'post',
    path,
    tag,
    name: 'createResumableUpload',
    summary: 'Begin a resumable upload (tus 1.0.0)',
    description:
      'Size, plan, folder and name are judged here. `Upload-Metadata` may have `filename`, `filetype`, `collection_id`, `on_duplicate` and `relative_path`. The body may hold the first bytes. An upload expires 24 hours after its last progress.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: [
      'plan_limit',
      'not_found',
      'already_exists',
      'offset_mismatch',
      'upload_expired',
      'too_large',
      'checksum_mismatch',
      'too_many_open_uploads',
      'invalid_upload_request',
      'tus_version_required',
      'unsupported_type',
    ],
    headers: object({
      ...version,
      'upload-length': int({ minimum: 0, description: 'Bytes of the whole file.' }),
      'upload-metadata': optional(text({ description: 'Pairs of a key and a base64 value.' })),
      ...checksum,
    }),
    sends: { mediaType, required: false },
    reply: { tus: { status: 201, headers: ['Location', ...RESUMED] } },
  }),
  tusRoute({
    method: 'head',
    path: `${path}/:upload_id`,
    tag,
    name: 'getResumableUpload',
    summary: 'How many bytes of an upload are durable',
    description:
      'The offset is the length only once the object exists; then the response has `Object-Id`, and `Task-Id` for a file of a folder drop.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: [
      'not_found',
      'upload_expired',
      'invalid_upload_request',
      'tus_version_required',
      'unsupported_type',
    ],
    params: uploadPath,
    headers: object(version),
    reply: { tus: { status: 200, headers: ['Upload-Length', 'Upload-Metadata', ...RESUMED] } },
  }),
  tusRoute({
    method: 'patch',
    path: `${path}/:upload_id`,
    tag,
    name: 'appendToResumableUpload',
    summary: 'Add bytes to an upload; the last ones make the object',
    description:
      'A request that is cut off leaves what has arrived, unless it has a checksum. The last one answers `Object-Id`. A repeat of it is 409 with the same `Object-Id`.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: [
      'plan_limit',
      'not_found',
      'already_exists',
      'offset_mismatch',
      'upload_expired',
      'too_large',
      'checksum_mismatch',
      'invalid_upload_request',
      'tus_version_required',
      'unsupported_type',
    ],
    params: uploadPath,
    headers: object({
      ...version,
      'upload-offset': int({ minimum: 0, description: 'Where the bytes begin.' }),
      ...checksum,
    }),
    sends: { mediaType, required: true },
    reply: { tus: { status: 204, headers: RESUMED } },
  }),
  tusRoute({
    method: 'delete',
    path: `${path}/:upload_id`,
    tag,
    name: 'terminateResumableUpload',
    summary: 'Cancel an upload',
    description: 'The object of a finished one remains.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: [
      'not_found',
      'upload_expired',
      'invalid_upload_request',
      'tus_version_required',
      'unsupported_type',
    ],
    params: uploadPath,
    headers: object(version),
    reply: { tus: { status: 204, headers: ['Tus-Resumable'] } },
  }),
];

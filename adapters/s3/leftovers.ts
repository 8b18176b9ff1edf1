import { documentOf } from './answers.ts';
import type { S3Answer, S3Client, S3Manner, S3Request } from './client.ts';
import { S3Failure } from './failures.ts';
import { blobIdOf, laterOf } from './keys.ts';

/** Once is as good as twice. */
export async function removeObject(
  client: S3Client,
  key: string,
  how: Partial<S3Manner> = {},
): Promise<void> {
  await gone(client, { method: 'DELETE', key }, how);
}

/** Nothing lies there, in the server's own words. A page that was not found, or a bucket, is something else. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3Failure &&
  error.kind === 'refused' &&
  error.status === 404 &&
  (error.code === 'NoSuchKey' || error.code === 'NoSuchUpload');

/** Ends multipart uploads under the keys that begin so, of those begun before the moment. */
export async function abortUploads(
  client: S3Client,
  start: string,
  before: number,
  how: Partial<S3Manner> = {},
): Promise<void> {
  let from: Record<string, string> = {};
  for (;;) {
    const query = { uploads: '', prefix: client.prefix + start, ...from };
    const page = await client.ask(
      { method: 'GET', query },
      (answer) => documentOf(answer, 'ListMultipartUploadsResult'),
      how,
    );
    for (const { Key = '', UploadId = '', Initiated = '' } of page.records('Upload')) {
      const key = Key.slice(client.prefix.length);
      const blobId = blobIdOf(key, start);
      if (blobId !== undefined && laterOf(blobId, Initiated) < before)
        await abortUpload(client, key, UploadId, how);
    }
    const { IsTruncated, NextKeyMarker = '', NextUploadIdMarker = '' } = page.texts;
    if (IsTruncated !== 'true') return;
    const next = { 'key-marker': NextKeyMarker, 'upload-id-marker': NextUploadIdMarker };
    if (NextKeyMarker === '' || JSON.stringify(next) === JSON.stringify(from))
      throw new S3Failure('garbled', 'a list without an end');
    from = next;
  }
}

/** Once is as good as twice. */
export async function abortUpload(
  client: S3Client,
  key: string,
  uploadId: string,
  how: Partial<S3Manner> = {},
): Promise<void> {
  await gone(client, { method: 'DELETE', key, query: { uploadId } }, how);
}

async function gone(client: S3Client, request: S3Request, how: Partial<S3Manner>): Promise<void> {
  try {
    await client.ask(request, requireNothing, how);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function requireNothing({ text }: S3Answer): void {
  if (text !== '') throw new S3Failure('garbled', 'more than an acknowledgement');
}

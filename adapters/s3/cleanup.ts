import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3';
import type { BucketClient, Operation, S3Timeouts } from './bucket-client.ts';
import { S3Error } from './errors.ts';
import { blobIdOf, newestTimestamp } from './object-keys.ts';

/** Deletes an object. Succeeds if there is none. */
export async function removeObject(
  client: BucketClient,
  key: string,
  options: Partial<S3Timeouts> = {},
): Promise<void> {
  await ignoringMissing(
    client,
    (sdk, exchange) => sdk.send(new DeleteObjectCommand(client.at(key)), exchange),
    options,
  );
}

/** Whether S3 itself reports a missing object or upload. A missing bucket, or the 404 of a proxy, is a failure. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3Error &&
  error.kind === 'rejected' &&
  error.status === 404 &&
  (error.code === 'NoSuchKey' || error.code === 'NoSuchUpload');

/**
 * Aborts multipart uploads of blobs whose keys begin with `start` and that were begun before the moment, and all of the key
 * `start` itself.
 */
export async function abortStaleUploads(
  client: BucketClient,
  start: string,
  before: number,
  options: Partial<S3Timeouts> = {},
): Promise<void> {
  let from: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } = {};
  for (;;) {
    const page = await client.send(
      (sdk, exchange) =>
        sdk.send(
          new ListMultipartUploadsCommand({
            ...client.bucket,
            Prefix: client.prefix + start,
            ...from,
          }),
          exchange,
        ),
      (output) => output,
      options,
    );
    for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
      const key = Key.slice(client.prefix.length);
      const blobId = blobIdOf(key, start);
      const isStale = blobId !== undefined && newestTimestamp(blobId, Initiated) < before;
      if (isStale || key === start) await abortUpload(client, key, UploadId, options);
    }
    const { IsTruncated, NextKeyMarker = '', NextUploadIdMarker = '' } = page;
    if (IsTruncated !== true) return;
    if (
      NextKeyMarker === '' ||
      (NextKeyMarker === from.KeyMarker && NextUploadIdMarker === from.UploadIdMarker)
    )
      throw new S3Error('malformed', 'a list without an end');
    from = { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker };
  }
}

/** Aborts a multipart upload. Succeeds if there is none. */
export async function abortUpload(
  client: BucketClient,
  key: string,
  uploadId: string,
  options: Partial<S3Timeouts> = {},
): Promise<void> {
  await ignoringMissing(
    client,
    (sdk, exchange) =>
      sdk.send(
        new AbortMultipartUploadCommand({ ...client.at(key), UploadId: uploadId }),
        exchange,
      ),
    options,
  );
}

async function ignoringMissing(
  client: BucketClient,
  operation: Operation<unknown>,
  options: Partial<S3Timeouts>,
): Promise<void> {
  try {
    await client.send(operation, () => undefined, options);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

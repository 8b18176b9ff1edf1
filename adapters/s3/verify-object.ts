import { createHash } from 'node:crypto';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import type { WrittenBlob } from '../../ports/blobs.ts';
import type { BucketClient, S3Timeouts } from './bucket-client.ts';
import { S3Error } from './errors.ts';
import { readResumable } from './resumable-read.ts';
import { sizeOf, tagOf } from './response-checks.ts';

/** What a server reports about an object, as far as it does. */
export interface ReportedObject {
  readonly size: number | undefined;
  readonly tag: string | undefined;
}

const NOTHING: ReportedObject = { size: undefined, tag: undefined };
/** The server does not offer the operation. */
const NOT_OFFERED: readonly number[] = [405, 501];

/** Size and ETag of an object. Both are missing if the server has no usable response to HEAD. */
export async function reportedObject(
  client: BucketClient,
  key: string,
  options: Partial<S3Timeouts> = {},
): Promise<ReportedObject> {
  try {
    return await client.send(
      (sdk, exchange) => sdk.send(new HeadObjectCommand(client.at(key)), exchange),
      (head) => ({ size: sizeOf(head), tag: tagOf(head) }),
      options,
    );
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    if (error.kind === 'malformed' || NOT_OFFERED.includes(error.status)) return NOTHING;
    throw error;
  }
}

/** Whether an object exists, as far as the server says. */
export async function mayExist(
  client: BucketClient,
  key: string,
  options: Partial<S3Timeouts>,
): Promise<boolean> {
  try {
    await reportedObject(client, key, options);
    return true;
  } catch (error) {
    if (error instanceof S3Error && error.status === 404) return false;
    throw error;
  }
}

/**
 * Verifies a write by the reported size and by the ETag, if that is the MD5 of the sent bytes. Otherwise, and for a sample,
 * the object is read back: a server may report no length, another one, or an ETag of its own. Rejects with S3Error.
 */
export async function verifyObject(
  client: BucketClient,
  key: string,
  { size, sha256 }: Pick<WrittenBlob, 'size' | 'sha256'>,
  { tag, isSampled }: { readonly tag: string; readonly isSampled: () => boolean },
): Promise<void> {
  const found = await reportedObject(client, key);
  if (found.size === size && found.tag === tag && !isSampled()) return;
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of readResumable(client, key)) {
    read += chunk.length;
    if (read > size) break;
    hash.update(chunk);
  }
  if (read !== size || hash.digest('hex') !== sha256)
    throw new S3Error('altered', 'other bytes than were written');
}

import { v7 } from 'uuid';
import type { BucketClient, S3Timeouts } from './bucket-client.ts';
import { removeObject } from './cleanup.ts';
import { S3Error } from './errors.ts';
import { MultipartUpload } from './multipart-upload.ts';
import { reportedObject } from './verify-object.ts';

const BYTES = Buffer.from('Owner Workspace may write here.\n');
/** Share of the timeout for writing and reading. The rest is for cleaning up. */
const WRITE_SHARE = 0.7;

/**
 * Writes, reads and removes two objects beside the blobs with the requests of an upload: one in a single request, and one
 * in parts. Rejects with S3Error, within the timeout. The objects are removed in any case, if the server can be reached.
 */
export async function probe(client: BucketClient, timeoutMs: number): Promise<void> {
  const startedAt = performance.now();
  const within = (share: number) => (): Partial<S3Timeouts> => {
    const left = Math.max(1, startedAt + timeoutMs * share - performance.now());
    return { tries: 1, idleMs: left, totalMs: left };
  };
  for (const isMultipart of [false, true])
    await probeUpload(client, isMultipart, within(WRITE_SHARE), within(1));
}

async function probeUpload(
  client: BucketClient,
  isMultipart: boolean,
  timeouts: () => Partial<S3Timeouts>,
  cleanupTimeouts: () => Partial<S3Timeouts>,
): Promise<void> {
  const key = `probe-${v7()}`;
  const options = { isMultipart, timeouts, cleanupTimeouts };
  const upload = new MultipartUpload(client, key, BYTES.length, options);
  try {
    await upload.add(BYTES);
    await upload.finish();
    await reportedObject(client, key, timeouts());
    const found = await client.readText(key, timeouts());
    if (found !== BYTES.toString()) throw new S3Error('altered', 'other bytes than were written');
  } catch (error) {
    // The first error is the one to report.
    await upload.abandon();
    throw error;
  }
  await removeObject(client, key, cleanupTimeouts());
}

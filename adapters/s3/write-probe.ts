import { PutObjectCommand } from '@aws-sdk/client-s3';
import { v7 } from 'uuid';
import type { BucketClient, S3Timeouts } from './bucket-client.ts';
import { removeObject } from './cleanup.ts';
import { S3Error } from './errors.ts';
import { PartBuffer } from './part-buffer.ts';
import { tagOf } from './response-checks.ts';

const TEXT = 'Owner Workspace may write here.\n';
/** Share of the timeout for writing and reading. The rest is for cleaning up. */
const WRITE_SHARE = 0.7;

/**
 * Writes, reads and removes an object beside the blobs. Rejects with S3Error, within the timeout. The object is removed in
 * any case, if the server can be reached.
 */
export async function probe(client: BucketClient, timeoutMs: number): Promise<void> {
  const startedAt = performance.now();
  const within = (share: number): Partial<S3Timeouts> => {
    const left = Math.max(1, startedAt + timeoutMs * share - performance.now());
    return { tries: 1, idleMs: left, totalMs: left };
  };
  const key = `probe-${v7()}`;
  const part = new PartBuffer();
  part.add(Buffer.from(TEXT));
  const payload = part.seal();
  try {
    await client.send(
      (sdk, options) =>
        sdk.send(new PutObjectCommand({ ...client.at(key), ...payload.input() }), options),
      tagOf,
      within(WRITE_SHARE),
    );
    const found = await client.readText(key, within(WRITE_SHARE));
    if (found !== TEXT) throw new S3Error('altered', 'other bytes than were written');
  } catch (error) {
    await removeObject(client, key, within(1)).catch((failure: unknown) => {
      // The first error is the one to report.
      if (!(failure instanceof S3Error)) throw failure;
    });
    throw error;
  }
  await removeObject(client, key, within(1));
}

import { v7 } from 'uuid';
import { tagOf } from './answers.ts';
import type { S3Client, S3Manner } from './client.ts';
import { S3Failure } from './failures.ts';
import { removeObject } from './leftovers.ts';
import { Part } from './part.ts';

const WORDS = 'Owner Workspace may write here.\n';
/** Of the time for all of it, what writing and reading may take: the rest is for cleaning up. */
const SHARE = 0.7;

/**
 * Writes, reads and removes an object beside the blobs. Rejects with S3Failure, within the time; what it has written is
 * taken away whatever happens, as far as the server can be reached.
 */
export async function probe(client: S3Client, timeoutMs: number): Promise<void> {
  const begun = performance.now();
  const within = (share: number): Partial<S3Manner> => {
    const left = Math.max(1, begun + timeoutMs * share - performance.now());
    return { tries: 1, idleMs: left, totalMs: left };
  };
  const key = `probe-${v7()}`;
  const part = new Part();
  part.add(Buffer.from(WORDS));
  const { payload: body, md5 } = part.seal();
  const headers = { 'content-md5': md5.toString('base64') };
  try {
    await client.ask({ method: 'PUT', key, headers, body }, tagOf, within(SHARE));
    const found = await client.ask({ method: 'GET', key }, ({ text }) => text, within(SHARE));
    if (found !== WORDS) throw new S3Failure('altered', 'other bytes than were written');
  } catch (error) {
    await removeObject(client, key, within(1)).catch((failure: unknown) => {
      // The first failure is the one to tell of.
      if (!(failure instanceof S3Failure)) throw failure;
    });
    throw error;
  }
  await removeObject(client, key, within(1));
}

import type { ByteRange } from '../../ports/blobs.ts';
import { MAX_RETRY_MS, type BucketClient } from './bucket-client.ts';
import { S3Error, isRetryable } from './errors.ts';
import { checkRange, noTag, strongTagOf, tagOf } from './response-checks.ts';

/** How often one read is resumed, regardless of its progress. */
const MAX_RESUMPTIONS = 20;

/** Reads an object. A broken response is resumed where it ended: an object never changes. Rejects with S3Error. */
export async function* readResumable(
  client: BucketClient,
  key: string,
  range?: ByteRange,
): AsyncGenerator<Uint8Array> {
  let at = range?.first ?? 0;
  let end: number | undefined;
  let tag: string | undefined;
  for (let resumed = 0, failures = 0; ;) {
    const until = performance.now() + MAX_RETRY_MS;
    const from = at;
    try {
      const whole = !range && at === 0;
      const last = end === undefined ? range?.last : end - 1;
      const { head, body, close } = await client.openStream(key, {
        ...(!whole && { Range: `bytes=${at}-${last ?? ''}` }),
        ...(tag !== undefined && { IfMatch: tag }),
      });
      try {
        const announced = checkRange(head, at, { whole, last });
        if (announced !== undefined) end = Math.min(announced, end ?? Infinity);
        tag ??= strongTagOf(head);
        for (;;) {
          const { done, value } = await body.next();
          if (done) break;
          if (at + value.length > (end ?? Infinity))
            throw new S3Error('malformed', 'more than it announced');
          at += value.length;
          yield value;
        }
        // A chunked response ends by itself. An empty one may be that of any server.
        if (end === undefined && (at > 0 || tagOf(head) !== undefined)) return;
        if (end === undefined) throw noTag();
      } finally {
        close();
      }
      if (at === end) return;
      throw new S3Error('unreachable', 'the body was cut');
    } catch (error) {
      // A range that begins behind the last byte is empty, as every range of an empty object is.
      if (end === undefined && error instanceof S3Error && error.code === 'InvalidRange') return;
      if (at === end) return;
      failures = at > from ? 1 : failures + 1;
      const isLate = at === from && performance.now() > until;
      const isExhausted = failures >= client.timeouts.tries || ++resumed > MAX_RESUMPTIONS;
      if (!isRetryable(error) || isLate || isExhausted) throw error;
      await client.pause(failures);
    }
  }
}

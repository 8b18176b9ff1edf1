import { pipeline } from 'node:stream/promises';
import { Readable, type Duplex } from 'node:stream';
import { createDeflateRaw, createInflateRaw } from 'node:zlib';

type Bytes = AsyncIterable<Uint8Array>;

export const deflate = (bytes: Bytes): Bytes => through(bytes, createDeflateRaw());
export const inflate = (bytes: Bytes): Bytes => through(bytes, createInflateRaw());

/** Pipes bytes through a stream and yields its output; both ends are closed in any case. */
async function* through(bytes: Bytes, stream: Duplex): Bytes {
  const source = Readable.from(bytes, { objectMode: false, highWaterMark: 65_536 });
  // An error of either end destroys the other, and is thrown by the loop below.
  const fed = pipeline(source, stream).catch(
    (error: unknown) => void stream.destroy(error as Error),
  );
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } finally {
    stream.destroy();
    source.destroy();
    await fed;
  }
}

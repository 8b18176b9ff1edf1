import { expect } from 'chai';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { CorruptBlobError, type ContentDigest } from '../../ports/blobs.ts';

async function* chunked(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const expectedOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** The contract of every ContentDigest. */
export function contentDigestContract(digest: ContentDigest): void {
  const some = () => fc.uint8Array({ minLength: 1, maxLength: 300 });
  const sizes = () => fc.integer({ min: 1, max: 90 });

  it('`of` returns the number of the bytes and their SHA-256, for any chunk boundaries', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), sizes(), async (bytes, size) => {
        expect(await digest.of(chunked(bytes, size))).to.deep.equal(expectedOf(bytes));
      }),
    ));

  it('`verified` passes on the expected bytes, and never the last byte of other bytes', () =>
    fc.assert(
      fc.asyncProperty(some(), some(), sizes(), async (bytes, other, size) => {
        const expected = expectedOf(bytes);
        const given = async (from: Uint8Array) => {
          const chunks: Uint8Array[] = [];
          try {
            for await (const chunk of digest.verified(chunked(from, size), expected))
              chunks.push(chunk);
          } catch (error) {
            expect(error).to.be.instanceOf(CorruptBlobError);
          }
          return Buffer.concat(chunks);
        };
        expect(await given(bytes)).to.deep.equal(Buffer.from(bytes));
        const changed = Uint8Array.from(bytes, (byte) => byte ^ 1);
        for (const wrong of [
          changed,
          bytes.subarray(1),
          Buffer.concat([bytes, other]),
          new Uint8Array(),
        ]) {
          const all = await given(wrong);
          expect(all.length).to.be.below(Math.max(1, Math.min(wrong.length, bytes.length)));
        }
      }),
    ));
}

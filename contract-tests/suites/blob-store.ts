import { expect } from 'chai';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { BlobNotFoundError, BlobTooLargeError, type BlobStore } from '../../ports/blobs.ts';

async function* chunked(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collected(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as Error).constructor,
  );

const roomy = { maxBytes: 2 ** 20 };

/** The contract of every BlobStore. `leftovers` lists what is stored besides complete blobs. */
export function blobStoreContract(
  open: () => Promise<{ blobs: BlobStore; leftovers(): Promise<number>; close(): Promise<void> }>,
): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let blobs: BlobStore;
  before(async () => {
    opened = await open();
    blobs = opened.blobs;
  });
  after(() => opened.close());

  const listed = async () => {
    const ids: string[] = [];
    for await (const { blobId } of blobs.list()) ids.push(blobId);
    return ids.sort();
  };

  it('Written bytes are read back unchanged, whole and by range, with the size and SHA-256 returned by the write', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5000 }),
        fc.integer({ min: 1, max: 700 }),
        fc.nat(),
        fc.nat(),
        async (bytes, size, a, b) => {
          const written = await blobs.write(chunked(bytes, size), roomy);
          expect(written.size).to.equal(bytes.length);
          expect(written.sha256).to.equal(createHash('sha256').update(bytes).digest('hex'));
          expect(await collected(blobs.read(written.blobId))).to.deep.equal(Buffer.from(bytes));
          if (bytes.length === 0) return;
          const [first, last] = [a % bytes.length, b % bytes.length].sort((x, y) => x - y);
          const part = await collected(blobs.read(written.blobId, { first: first!, last: last! }));
          expect(part).to.deep.equal(Buffer.from(bytes.subarray(first, last! + 1)));
        },
      ),
      { numRuns: 60 },
    ));

  it('Large blobs that are written concurrently are read back unchanged, whole and by range', async () => {
    // Larger than any buffer of an adapter, and not a multiple of one.
    const all = [11 * 2 ** 20 + 1, 10 * 2 ** 20, 6_000_000].map((size) => randomBytes(size));
    const written = await Promise.all(
      all.map((bytes, n) => blobs.write(chunked(bytes, 60_000 + n), { maxBytes: 2 ** 24 })),
    );
    for (const [n, { blobId, size, sha256 }] of written.entries()) {
      const bytes = all[n]!;
      const [first, last] = [5 * 2 ** 20 - 2, 5 * 2 ** 20 + 3];
      expect(size).to.equal(bytes.length);
      expect(sha256).to.equal(createHash('sha256').update(bytes).digest('hex'));
      expect((await collected(blobs.read(blobId))).equals(bytes)).to.equal(true);
      const part = await collected(blobs.read(blobId, { first, last }));
      expect(part.equals(bytes.subarray(first, last + 1))).to.equal(true);
      await blobs.remove(blobId);
    }
  });

  it('A range returns exactly its bytes, limited to the end of the content, or rejects', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(3_000), fc.nat(3_000), async (first, length) => {
        const bytes = randomBytes(2_000);
        const { blobId } = await blobs.write(chunked(bytes, 700), roomy);
        const part = await collected(blobs.read(blobId, { first, last: first + length }));
        expect(part.equals(bytes.subarray(first, first + length + 1))).to.equal(true);
        await blobs.remove(blobId);
      }),
      { numRuns: 20 },
    ));

  it('A range ends at the end of the content. An empty blob has nothing to read, but is not missing', async () => {
    const { blobId } = await blobs.write('lamp', roomy);
    const { blobId: empty, size } = await blobs.write('', roomy);
    expect(size).to.equal(0);
    const read = async (id: string, first: number, last: number) =>
      (await collected(blobs.read(id, { first, last }))).toString();
    expect(await read(blobId, 2, 99)).to.equal('mp');
    expect(await read(blobId, 4, 4)).to.equal('');
    expect(await read(empty, 0, 0)).to.equal('');
    expect((await collected(blobs.read(empty))).length).to.equal(0);
  });

  it('A read that was abandoned can be started again', async () => {
    const bytes = randomBytes(2 ** 20);
    const { blobId } = await blobs.write(chunked(bytes, 65_536), roomy);
    for (let n = 0; n < 20; n++) {
      const reading = blobs.read(blobId)[Symbol.asyncIterator]();
      await reading.next();
      await reading.return?.();
    }
    expect((await collected(blobs.read(blobId))).equals(bytes)).to.equal(true);
  });

  it('A string is stored as UTF-8', async () => {
    const { blobId, size } = await blobs.write('né 😀', roomy);
    expect(size).to.equal(8);
    expect((await collected(blobs.read(blobId))).toString('utf8')).to.equal('né 😀');
  });

  it('Bytes are written under the requested id, if there is one', async () => {
    const blobId = randomUUID();
    const written = await blobs.write('lamp', { ...roomy, blobId });
    expect(written).to.include({ blobId, size: 4 });
    expect((await collected(blobs.read(blobId))).toString()).to.equal('lamp');
    expect(await listed()).to.include(blobId);
    await blobs.remove(blobId);
  });

  it('A source that fails or exceeds `maxBytes` leaves nothing behind', async () => {
    const before = await listed();
    const failing = async function* () {
      yield new Uint8Array(10);
      await Promise.resolve();
      throw new RangeError('the client went away');
    };
    expect(await outcome(blobs.write(failing(), roomy))).to.equal(RangeError);
    const long = chunked(new Uint8Array(1000), 100);
    expect(await outcome(blobs.write(long, { maxBytes: 999 }))).to.equal(BlobTooLargeError);
    expect(
      await outcome(blobs.write(chunked(new Uint8Array(1000), 100), { maxBytes: 1000 })),
    ).to.equal('done');
    expect((await listed()).length).to.equal(before.length + 1);
    expect(await opened.leftovers()).to.equal(0);
  });

  it('Reading a missing blob rejects with BlobNotFoundError. Removing a blob is idempotent', async () => {
    const { blobId } = await blobs.write('x', roomy);
    await blobs.remove(blobId);
    await blobs.remove(blobId);
    expect(await outcome(collected(blobs.read(blobId)))).to.equal(BlobNotFoundError);
  });

  it('`list` returns every blob that was written and not removed', async () => {
    const before = await listed();
    const from = Date.now() - 2_000;
    const written = await Promise.all(['a', 'b', 'c'].map((text) => blobs.write(text, roomy)));
    const ids = written.map(({ blobId }) => blobId);
    await blobs.remove(ids[1]!);
    expect(await listed()).to.deep.equal([...before, ids[0]!, ids[2]!].sort());
    for await (const entry of blobs.list())
      if (ids.includes(entry.blobId))
        expect(entry.modifiedAt).to.be.within(from, Date.now() + 2_000);
  });
}

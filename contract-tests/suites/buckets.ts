import { expect } from 'chai';
import type { BlobStore } from '../../ports/blobs.ts';
import type { BucketAddress, Buckets } from '../../ports/buckets.ts';
import { UnavailableError } from '../../ports/errors.ts';

export interface OpenedBuckets {
  readonly buckets: Buckets;
  readonly address: BucketAddress;
  /** Absent if the server accepts any. */
  readonly wrongSecret?: BucketAddress;
  readonly missing: BucketAddress;
  /** The address of a server that is not reachable. */
  readonly away: BucketAddress;
  /** Objects stored in the bucket, under any key. */
  lying(): Promise<number>;
  close(): Promise<void>;
}

const roomy = { maxBytes: 1_000 };
const CHECK_MS = 3_000;

async function textOf(blobs: BlobStore, blobId: string): Promise<string> {
  let text = '';
  for await (const chunk of blobs.read(blobId)) text += Buffer.from(chunk).toString();
  return text;
}

async function idsIn(blobs: BlobStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { blobId } of blobs.list()) ids.push(blobId);
  return ids;
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** What Buckets of every kind must do. */
export function bucketsContract(open: () => Promise<OpenedBuckets>): void {
  let opened: OpenedBuckets;
  let buckets: Buckets;
  before(async () => {
    opened = await open();
    buckets = opened.buckets;
  });
  after(() => opened.close());

  const unusable = (): BucketAddress[] => [
    opened.missing,
    opened.away,
    ...(opened.wrongSecret ? [opened.wrongSecret] : []),
  ];

  it('Bytes written to a bucket are read back unchanged by any client that opens it again', async () => {
    const { blobId } = await buckets.open(opened.address).write('né 😀', roomy);
    const again = buckets.open({ ...opened.address });
    expect(await textOf(again, blobId)).to.equal('né 😀');
    expect(await idsIn(again)).to.deep.equal([blobId]);
    await again.remove(blobId);
    expect(await idsIn(buckets.open(opened.address))).to.deep.equal([]);
  });

  it('Two prefixes of one bucket are isolated from each other', async () => {
    const one = buckets.open({ ...opened.address, prefix: 'one' });
    const other = buckets.open({ ...opened.address, prefix: 'one/more' });
    const { blobId } = await one.write('lamp', roomy);
    await other.remove(blobId);
    expect(await idsIn(other)).to.deep.equal([]);
    expect(await textOf(one, blobId)).to.equal('lamp');
    await one.remove(blobId);
  });

  it('An open bucket continues to work, however many others are opened meanwhile', async () => {
    const first = buckets.open(opened.address);
    const { blobId } = await first.write('x'.repeat(1_000), roomy);
    const reading = first.read(blobId)[Symbol.asyncIterator]();
    const started = await reading.next();
    for (let n = 0; n < 60; n++) {
      const other = buckets.open({ ...opened.address, prefix: `many-${n}` });
      await other.remove(blobId);
    }
    let size = (started.value as Uint8Array).length;
    for (let next = await reading.next(); !next.done; next = await reading.next())
      size += next.value.length;
    expect(size).to.equal(1_000);
    expect(await idsIn(first)).to.deep.equal([blobId]);
    await first.remove(blobId);
  });

  it('A check writes, reads and removes a probe, and leaves nothing behind', async () => {
    const before = await opened.lying();
    expect(await buckets.check(opened.address, CHECK_MS)).to.deep.equal({ ok: true });
    expect(await opened.lying()).to.equal(before);
  });

  it('The check reports a wrong secret, a missing bucket and an unreachable server within its time limit, in words without the secret', async () => {
    const before = await opened.lying();
    const reasons = new Set<string>();
    for (const address of unusable()) {
      const found = await buckets.check(address, CHECK_MS);
      const reason = found.ok ? '' : found.reason;
      expect(reason).to.match(/^[A-Z].*\.$/);
      expect(reason).not.to.include(address.secretAccessKey);
      reasons.add(reason);
    }
    expect(reasons.size).to.equal(unusable().length);
    expect(await opened.lying()).to.equal(before);
  });

  it('Using a bucket that cannot be used rejects with UnavailableError, with the message of the check', async () => {
    for (const address of unusable()) {
      const found = await buckets.check(address, CHECK_MS);
      const blobs = buckets.open(address);
      const id = 'ffffffff-0000-7000-8000-000000000000';
      for (const use of [
        () => blobs.write('x', roomy),
        () => textOf(blobs, id),
        () => idsIn(blobs),
      ]) {
        const failure = await failureOf(use());
        expect(failure).to.be.instanceOf(UnavailableError);
        expect(found).to.deep.equal({ ok: false, reason: (failure as UnavailableError).message });
      }
    }
  });
}

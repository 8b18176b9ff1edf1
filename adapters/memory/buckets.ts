import type { BlobStore } from '../../ports/blobs.ts';
import {
  bucketFailure,
  isBucketFailure,
  type BucketAddress,
  type BucketCheck,
  type Buckets,
} from '../../ports/buckets.ts';
import { MemoryBlobStore } from './blob-store.ts';

const AWAY = 'The bucket is not responding.';
const PROBE = { maxBytes: 10 };

/** Buckets in the memory of this process, created on first use. */
export class MemoryBuckets implements Buckets {
  readonly #stores = new Map<string, MemoryBlobStore>();
  readonly #rejects: (address: BucketAddress) => string | undefined;
  #unavailable = false;

  /** `rejects` returns the error of an address, if it is invalid. */
  constructor(rejects: (address: BucketAddress) => string | undefined = () => undefined) {
    this.#rejects = rejects;
  }

  open(address: BucketAddress): BlobStore {
    const reachable = () => {
      const reason = this.#unavailable ? AWAY : this.#rejects(address);
      if (reason !== undefined) throw bucketFailure(reason);
      return this.at(address);
    };
    return {
      async write(source, limit) {
        const written = await reachable().write(source, limit);
        // It may have become unavailable meanwhile: an unacknowledged object may be stored nevertheless.
        reachable();
        return written;
      },
      async *read(blobId, range) {
        yield* reachable().read(blobId, range);
      },
      async remove(blobId) {
        return reachable().remove(blobId);
      },
      async *list() {
        yield* reachable().list();
      },
    };
  }

  async check(address: BucketAddress): Promise<BucketCheck> {
    const store = this.open(address);
    try {
      const { blobId } = await store.write('probe', PROBE);
      await store.remove(blobId);
      return { ok: true };
    } catch (error) {
      if (isBucketFailure(error)) return { ok: false, reason: error.message };
      throw error;
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The contents of a bucket, reachable or not. */
  at({ endpoint, bucket, prefix }: BucketAddress): MemoryBlobStore {
    const name = [endpoint, bucket, prefix].join('\n');
    const store = this.#stores.get(name) ?? new MemoryBlobStore();
    this.#stores.set(name, store);
    return store;
  }

  /** Makes all buckets unavailable, or available again. */
  setUnavailable(unavailable = true): void {
    this.#unavailable = unavailable;
  }
}

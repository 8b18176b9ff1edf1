import type { BlobStore } from '../../ports/blobs.ts';
import {
  bucketFailure,
  isBucketFailure,
  type BucketAddress,
  type BucketCheck,
  type Buckets,
} from '../../ports/buckets.ts';
import { MemoryBlobStore } from './blob-store.ts';

const AWAY = 'The bucket does not answer.';
const PROBE = { maxBytes: 10 };

/** Buckets in this process, made when they are first used. */
export class MemoryBuckets implements Buckets {
  readonly #stores = new Map<string, MemoryBlobStore>();
  readonly #refuses: (address: BucketAddress) => string | undefined;
  #away = false;

  /** `refuses` tells what is wrong with an address, if anything is. */
  constructor(refuses: (address: BucketAddress) => string | undefined = () => undefined) {
    this.#refuses = refuses;
  }

  open(address: BucketAddress): BlobStore {
    const reachable = () => {
      const reason = this.#away ? AWAY : this.#refuses(address);
      if (reason !== undefined) throw bucketFailure(reason);
      return this.at(address);
    };
    return {
      async write(source, limit) {
        const written = await reachable().write(source, limit);
        // It may have gone away meanwhile: what is not acknowledged may lie there all the same.
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

  /** What lies at an address, reachable or not. */
  at({ endpoint, bucket, prefix }: BucketAddress): MemoryBlobStore {
    const name = [endpoint, bucket, prefix].join('\n');
    const store = this.#stores.get(name) ?? new MemoryBlobStore();
    this.#stores.set(name, store);
    return store;
  }

  /** Makes every bucket as if its server were away, or lets them answer again. */
  goAway(away = true): void {
    this.#away = away;
  }
}

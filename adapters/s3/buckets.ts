import type { BlobStore } from '../../ports/blobs.ts';
import {
  bucketFailure,
  isBucketFailure,
  type BucketAddress,
  type BucketCheck,
  type Buckets,
} from '../../ports/buckets.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { S3BlobStore, S3Options } from './blob-store.ts';
import type { BucketLocation } from './bucket-url.ts';
import { S3Error } from './errors.ts';
import { OWN_FOLDER } from './object-keys.ts';
import { messageFor } from './owner-messages.ts';

/** Clients that are cached without a user. Their idle connections end after a few seconds. */
const MAX_CACHED_CLIENTS = 50;

/** How long a bucket is not contacted after a timeout. Doubles with each timeout, up to the maximum. */
const COOLDOWN_MS = 15_000;
const MAX_COOLDOWN_MS = 120_000;

type StoreFactory = (address: BucketAddress) => S3BlobStore;

interface CachedClient {
  readonly store: S3BlobStore;
  users: number;
  /** Consecutive timeouts. */
  timeouts: number;
  cooldown?: { readonly until: number; readonly error: S3Error };
}

/**
 * Owners' buckets: one client for each address and secret, evicted in order of last use. After a timeout a bucket is not
 * contacted for a while, so that it does not block background tasks.
 */
export class S3Buckets implements Buckets {
  readonly #options: () => Promise<S3Options>;
  /** In order of last use, the most recent last. */
  readonly #cached = new Map<string, CachedClient>();
  readonly #open = new Set<CachedClient>();

  /** `options` is called when the first bucket is used. */
  constructor(options: () => Promise<S3Options>) {
    this.#options = options;
  }

  open(address: BucketAddress): BlobStore {
    const call = <T>(work: (store: BlobStore) => Promise<T>) => this.#call(address, work);
    const stream = <T>(work: (store: BlobStore) => AsyncIterable<T>) => this.#stream(address, work);
    return {
      write: (source, limit) => call((store) => store.write(source, limit)),
      read: (blobId, range) => stream((store) => store.read(blobId, range)),
      remove: (blobId) => call((store) => store.remove(blobId)),
      list: () => stream((store) => store.list()),
    };
  }

  async check(address: BucketAddress, timeoutMs: number): Promise<BucketCheck> {
    const store = (await this.#factory())(address);
    try {
      await store.probe(timeoutMs);
      const client = this.#cached.get(cacheKey(address));
      if (client) endCooldown(client);
      return { ok: true };
    } catch (error) {
      const failure = toBucketFailure(error);
      if (!isBucketFailure(failure)) throw error;
      return { ok: false, reason: failure.message };
    } finally {
      await store.close();
    }
  }

  async close(): Promise<void> {
    this.#cached.clear();
    await Promise.all([...this.#open].map(({ store }) => store.close()));
  }

  /** Number of clients, in use or cached. */
  get clients(): number {
    return this.#open.size;
  }

  async #call<T>(address: BucketAddress, work: (store: BlobStore) => Promise<T>): Promise<T> {
    const client = this.#acquire(address, await this.#factory());
    try {
      const result = await work(requireAvailable(client));
      endCooldown(client);
      return result;
    } catch (error) {
      beginCooldown(client, error);
      throw toBucketFailure(error);
    } finally {
      await this.#release(client);
    }
  }

  async *#stream<T>(
    address: BucketAddress,
    work: (store: BlobStore) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const client = this.#acquire(address, await this.#factory());
    try {
      yield* work(requireAvailable(client));
      endCooldown(client);
    } catch (error) {
      beginCooldown(client, error);
      throw toBucketFailure(error);
    } finally {
      await this.#release(client);
    }
  }

  /** Loads the SDK on first use. */
  async #factory(): Promise<StoreFactory> {
    const [{ S3BlobStore }, options] = await Promise.all([
      import('./blob-store.ts'),
      this.#options(),
    ]);
    return (address) => new S3BlobStore(locationOf(address), { ...options, folder: OWN_FOLDER });
  }

  #acquire(address: BucketAddress, create: StoreFactory): CachedClient {
    const key = cacheKey(address);
    const client = this.#cached.get(key) ?? { store: create(address), users: 0, timeouts: 0 };
    client.users++;
    this.#open.add(client);
    this.#cached.delete(key);
    this.#cached.set(key, client);
    return client;
  }

  /** An evicted client is closed by its last user. */
  async #release(client: CachedClient): Promise<void> {
    client.users--;
    for (const [key] of this.#cached) {
      if (this.#cached.size <= MAX_CACHED_CLIENTS) break;
      this.#cached.delete(key);
    }
    const cached = new Set(this.#cached.values());
    for (const each of this.#open)
      if (each.users === 0 && !cached.has(each)) {
        this.#open.delete(each);
        await each.store.close();
      }
  }
}

const cacheKey = (address: BucketAddress): string => JSON.stringify(address);

const isCoolingDown = ({ cooldown }: CachedClient): boolean =>
  cooldown !== undefined && performance.now() < cooldown.until;

function requireAvailable(client: CachedClient): BlobStore {
  if (client.cooldown && isCoolingDown(client)) throw client.cooldown.error;
  return client.store;
}

function endCooldown(client: CachedClient): void {
  client.timeouts = 0;
  delete client.cooldown;
}

function beginCooldown(client: CachedClient, error: unknown): void {
  const cause = error instanceof UnavailableError ? error.cause : undefined;
  if (!(cause instanceof S3Error) || !isTimeout(cause)) return;
  // Concurrent calls that time out together count as one.
  if (isCoolingDown(client)) return;
  const ms = Math.min(MAX_COOLDOWN_MS, COOLDOWN_MS * 2 ** client.timeouts++);
  client.cooldown = { until: performance.now() + ms, error: cause };
}

const isTimeout = ({ kind, message }: S3Error): boolean =>
  kind === 'timeout' || message === 'UND_ERR_CONNECT_TIMEOUT';

/** Converts to the error of the port, with a message for the owner of the bucket. */
const toBucketFailure = (error: unknown): unknown =>
  error instanceof S3Error
    ? bucketFailure(messageFor(error), error)
    : error instanceof UnavailableError && error.cause instanceof S3Error
      ? toBucketFailure(error.cause)
      : error;

function locationOf(address: BucketAddress): BucketLocation {
  const { endpoint, region, bucket, prefix, forcePathStyle, accessKeyId, secretAccessKey } =
    address;
  return {
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    pathStyle: forcePathStyle,
    accessKeyId,
    secretAccessKey,
  };
}

import type { BlobStore } from '../../ports/blobs.ts';
import {
  bucketFailure,
  isBucketFailure,
  type BucketAddress,
  type BucketCheck,
  type Buckets,
} from '../../ports/buckets.ts';
import { PortFailure } from '../../ports/failures.ts';
import type { S3BlobStore, S3Options } from './blob-store.ts';
import { S3Failure } from './failures.ts';
import { OWN_FOLDER } from './keys.ts';
import type { S3Place } from './place.ts';
import { wordsFor } from './words.ts';

/** Clients that are kept though nobody uses them now. Their connections end by themselves after a few seconds. */
const MOST_KEPT = 50;

/** How long a bucket that has let somebody wait in vain is not asked: twice as long each time, up to the most. */
const REST_MS = 15_000;
const LONGEST_REST_MS = 120_000;

type Maker = (address: BucketAddress) => S3BlobStore;

/** A client, how many are at work with it, and when it last was no use. */
interface Held {
  readonly store: S3BlobStore;
  users: number;
  /** Vain waits since the bucket last answered. */
  waits: number;
  rest?: { readonly until: number; readonly failure: S3Failure };
}

/**
 * Buckets of owners: a client for each address and secret, the ones longest unused given up first. One that hangs is
 * left in peace for a while, so that it does not hold up all who work on tasks.
 */
export class S3Buckets implements Buckets {
  readonly #options: () => Promise<S3Options>;
  /** The one used last comes last. */
  readonly #kept = new Map<string, Held>();
  readonly #open = new Set<Held>();

  /** `options` are asked for with the first bucket. */
  constructor(options: () => Promise<S3Options>) {
    this.#options = options;
  }

  open(address: BucketAddress): BlobStore {
    const using = <T>(work: (store: BlobStore) => Promise<T>) => this.#using(address, work);
    const drawing = <T>(draw: (store: BlobStore) => AsyncIterable<T>) =>
      this.#drawing(address, draw);
    return {
      write: (source, limit) => using((store) => store.write(source, limit)),
      read: (blobId, range) => drawing((store) => store.read(blobId, range)),
      remove: (blobId) => using((store) => store.remove(blobId)),
      list: () => drawing((store) => store.list()),
    };
  }

  async check(address: BucketAddress, timeoutMs: number): Promise<BucketCheck> {
    const store = (await this.#maker())(address);
    try {
      await store.probe(timeoutMs);
      const held = this.#kept.get(nameOf(address));
      if (held) answered(held);
      return { ok: true };
    } catch (error) {
      const told = inWords(error);
      if (!isBucketFailure(told)) throw error;
      return { ok: false, reason: told.message };
    } finally {
      await store.close();
    }
  }

  async close(): Promise<void> {
    this.#kept.clear();
    await Promise.all([...this.#open].map(({ store }) => store.close()));
  }

  /** How many clients there are, at work or not. */
  get clients(): number {
    return this.#open.size;
  }

  async #using<T>(address: BucketAddress, work: (store: BlobStore) => Promise<T>): Promise<T> {
    const held = this.#take(address, await this.#maker());
    try {
      const result = await work(useful(held));
      answered(held);
      return result;
    } catch (error) {
      throw inWords(failed(held, error));
    } finally {
      await this.#giveBack(held);
    }
  }

  async *#drawing<T>(
    address: BucketAddress,
    draw: (store: BlobStore) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const held = this.#take(address, await this.#maker());
    try {
      yield* draw(useful(held));
      answered(held);
    } catch (error) {
      throw inWords(failed(held, error));
    } finally {
      await this.#giveBack(held);
    }
  }

  /** The client is loaded by the first who uses one. */
  async #maker(): Promise<Maker> {
    const [{ S3BlobStore }, options] = await Promise.all([
      import('./blob-store.ts'),
      this.#options(),
    ]);
    return (address) => new S3BlobStore(placeOf(address), { ...options, folder: OWN_FOLDER });
  }

  #take(address: BucketAddress, make: Maker): Held {
    const name = nameOf(address);
    const held = this.#kept.get(name) ?? { store: make(address), users: 0, waits: 0 };
    held.users++;
    this.#open.add(held);
    this.#kept.delete(name);
    this.#kept.set(name, held);
    return held;
  }

  /** One that is in use is let go of by its last user. */
  async #giveBack(held: Held): Promise<void> {
    held.users--;
    for (const [name] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(name);
    }
    const kept = new Set(this.#kept.values());
    for (const each of this.#open)
      if (each.users === 0 && !kept.has(each)) {
        this.#open.delete(each);
        await each.store.close();
      }
  }
}

const nameOf = (address: BucketAddress): string => JSON.stringify(address);

/** The client, unless it rests. */
function useful({ store, rest }: Held): BlobStore {
  if (rest && performance.now() < rest.until) throw rest.failure;
  return store;
}

function answered(held: Held): void {
  held.waits = 0;
  delete held.rest;
}

function failed(held: Held, error: unknown): unknown {
  const failure = error instanceof PortFailure ? error.cause : undefined;
  if (!(failure instanceof S3Failure) || !isVainWait(failure)) return error;
  // Those who waited side by side waited once.
  if (held.rest && performance.now() < held.rest.until) return error;
  const ms = Math.min(LONGEST_REST_MS, REST_MS * 2 ** held.waits++);
  held.rest = { until: performance.now() + ms, failure };
  return error;
}

const isVainWait = ({ kind, message }: S3Failure): boolean =>
  kind === 'slow' || message === 'UND_ERR_CONNECT_TIMEOUT';

/** What the port says of it, for the owner of the bucket to read. */
const inWords = (error: unknown): unknown =>
  error instanceof S3Failure
    ? bucketFailure(wordsFor(error), error)
    : error instanceof PortFailure && error.cause instanceof S3Failure
      ? inWords(error.cause)
      : error;

function placeOf(address: BucketAddress): S3Place {
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

import type { BlobStore } from './blobs.ts';
import { PortFailure } from './failures.ts';

/** A bucket of a server that speaks the S3 protocol, and what proves us there. */
export interface BucketAddress {
  /** http(s)://HOST[:PORT]; null for AWS itself. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  /** Segments joined by single slashes, '' for none: what all keys begin with. */
  readonly prefix: string;
  /** The bucket in the path rather than in the host name. */
  readonly forcePathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type BucketCheck =
  | { readonly ok: true }
  | { readonly ok: false; /** A sentence for a person. */ readonly reason: string };

const PORT = 'bucket';

/** A bucket of an owner that can not be used, which says nothing about the service. `message` is for the owner to read. */
export const bucketFailure = (message: string, cause?: unknown): PortFailure =>
  new PortFailure(PORT, message, cause);

export const isBucketFailure = (error: unknown): error is PortFailure =>
  error instanceof PortFailure && error.port === PORT;

/**
 * Buckets that owners have connected.
 *
 * Contract (contract-tests/suites/buckets.ts):
 * - What is written into a bucket is read back from it, byte for byte, by whoever opens it again.
 * - Two prefixes of one bucket know nothing of each other's bytes.
 * - What was opened goes on working, however many others are opened meanwhile.
 * - A check writes, reads and removes a probe, and leaves nothing behind.
 * - A wrong secret, a missing bucket and a server that is away are told by the check, in words without the secret, within its time.
 * - Using a bucket that can not be used rejects with PortFailure, in the words of the check.
 */
export interface Buckets {
  /** Connects to nothing yet. */
  open(address: BucketAddress): BlobStore;
  check(address: BucketAddress, timeoutMs: number): Promise<BucketCheck>;
  close(): Promise<void>;
}

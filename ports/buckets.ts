import type { BlobStore } from './blobs.ts';
import { UnavailableError } from './errors.ts';

/** A bucket on an S3-compatible server, with its credentials. */
export interface BucketAddress {
  /** http(s)://HOST[:PORT]; null for AWS itself. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  /** Key prefix: segments joined by single slashes, '' for none. */
  readonly prefix: string;
  /** The bucket is in the path instead of the host name (path-style addressing). */
  readonly forcePathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type BucketCheck =
  | { readonly ok: true }
  | { readonly ok: false; /** A sentence for the user. */ readonly reason: string };

const PORT = 'bucket';

/** An owner's bucket that cannot be used. The service itself is not affected. `message` is for the owner to read. */
export const bucketFailure = (message: string, cause?: unknown): UnavailableError =>
  new UnavailableError(PORT, message, cause);

export const isBucketFailure = (error: unknown): error is UnavailableError =>
  error instanceof UnavailableError && error.port === PORT;

/**
 * Buckets that owners have connected.
 *
 * Contract (contract-tests/suites/buckets.ts):
 * - Bytes written to a bucket are read back unchanged by any client that opens it again.
 * - Two prefixes of one bucket are isolated from each other.
 * - An open bucket continues to work, however many others are opened meanwhile.
 * - A check writes, reads and removes a probe, and leaves nothing behind.
 * - The check reports a wrong secret, a missing bucket and an unreachable server within its time limit, in words
 *   without the secret.
 * - Using a bucket that cannot be used rejects with UnavailableError, with the message of the check.
 */
export interface Buckets {
  /** Connects to nothing yet. */
  open(address: BucketAddress): BlobStore;
  check(address: BucketAddress, timeoutMs: number): Promise<BucketCheck>;
  close(): Promise<void>;
}

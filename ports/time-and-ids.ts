/** A moment as milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** Now, as the core sees it. Adapters: system, fixed (tests). */
export interface Clock {
  now(): Instant;
}

/** Fresh identifiers and secrets. Adapters: node:crypto, counting (tests). */
export interface Entropy {
  /** A UUID of version 7 (RFC 9562 §5.7), lower case with dashes: ids sort by the time they were made. */
  uuid(): string;
  /** `bytes` random bytes as base64url without padding. */
  secret(bytes: number): string;
}

/** Lets other work of the process run between two slices of a long computation. */
export interface Breather {
  breathe(): Promise<void>;
}

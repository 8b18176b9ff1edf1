/** A moment as milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** The current time for the core. Adapters: system, fixed (tests). */
export interface Clock {
  now(): Instant;
}

/** New identifiers and secrets. Adapters: node:crypto, counting (tests). */
export interface RandomSource {
  /** A UUID version 7 (RFC 9562 §5.7), lower case with dashes: ids sort by creation time. */
  uuid(): string;
  /** `bytes` random bytes as base64url without padding. */
  secret(bytes: number): string;
}

/** Yields to other work of the process between two slices of a long computation. */
export interface Scheduler {
  yield(): Promise<void>;
}

/** Waits on behalf of the core. Adapters: node timers, manual (tests). */
export interface Timer {
  /** Resolves after so many milliseconds, or as soon as `until` resolves. */
  wait(ms: number, until: Promise<void>): Promise<void>;
}

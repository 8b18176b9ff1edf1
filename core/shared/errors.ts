/** Why a request ends early. Closed on purpose: an adapter that talks to clients maps every kind to a response. */
export type ErrorKind =
  | 'invalid-argument'
  | 'unauthenticated'
  | 'quota-exceeded'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'unsupported-type'
  | 'too-large'
  | 'too-slow'
  | 'checksum-mismatch'
  | 'rate-limited'
  | 'unavailable'
  | 'upstream-failed'
  | 'deadline';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error that is reported to the caller. `details` are added to the response next to the code. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly kind: ErrorKind;
  readonly code: string;
  readonly details: ErrorDetails;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    entry: CatalogueEntry,
    details: ErrorDetails = {},
    retryAfter?: number,
    messageOverride?: string,
  ) {
    super(messageOverride ?? entry.message);
    this.kind = entry.kind;
    this.code = entry.code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

export interface CatalogueEntry {
  readonly code: string;
  readonly kind: ErrorKind;
  /** A sentence for the user. */
  readonly message: string;
}

/** Every error the core can end with, for the reference and for the documented statuses of each operation. */
export const catalogue: CatalogueEntry[] = [];

/** Registers an error of the public catalogue and returns the function that creates it. */
export function defineError(kind: ErrorKind, code: string, message: string) {
  const entry = { kind, code, message };
  catalogue.push(entry);
  /** `messageOverride` replaces the sentence of the entry by a more specific one. */
  return (details?: ErrorDetails, retryAfter?: number, messageOverride?: string) =>
    new DomainError(entry, details, retryAfter, messageOverride);
}

/** A field that is valid by its schema but not in context: reported like a validation error. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly part: 'body' | 'query' | 'path';
  /** Its name in the API; '' for the part as a whole. */
  readonly field: string;

  constructor(part: 'body' | 'query' | 'path', field: string, reason: string) {
    super(reason);
    this.part = part;
    this.field = field;
  }
}

/** Why a request ends early. Closed on purpose: an adapter that speaks to callers maps every kind to an answer. */
export type ErrorKind =
  | 'meaningless'
  | 'unauthenticated'
  | 'plan-exhausted'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'unsupported-type'
  | 'too-large'
  | 'too-frequent'
  | 'unavailable'
  | 'upstream-failed'
  | 'deadline';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An end that the caller is told of. `details` go into the answer beside the code. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly kind: ErrorKind;
  readonly code: string;
  readonly details: ErrorDetails;
  /** Seconds after which a repeat may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    entry: CatalogueEntry,
    details: ErrorDetails = {},
    retryAfter?: number,
    told?: string,
  ) {
    super(told ?? entry.message);
    this.kind = entry.kind;
    this.code = entry.code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

export interface CatalogueEntry {
  readonly code: string;
  readonly kind: ErrorKind;
  /** A sentence for a person. */
  readonly message: string;
}

/** Every error the core can end with, for the reference and for the documented statuses of each operation. */
export const catalogue: CatalogueEntry[] = [];

/** Registers an error of the public catalogue and returns the function that makes one. */
export function defineError(kind: ErrorKind, code: string, message: string) {
  const entry = { kind, code, message };
  catalogue.push(entry);
  /** `told` takes the place of the entry's sentence where there is a better one for this case. */
  return (details?: ErrorDetails, retryAfter?: number, told?: string) =>
    new DomainError(entry, details, retryAfter, told);
}

/** A field that fits its schema and still makes no sense: told like the other faults of a request. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly part: 'body' | 'query' | 'path';
  /** Its name on the wire; '' for the part as a whole. */
  readonly field: string;

  constructor(part: 'body' | 'query' | 'path', field: string, reason: string) {
    super(reason);
    this.part = part;
    this.field = field;
  }
}

import type { Instant } from './runtime.ts';

export const SECURITY_EVENT_KINDS = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'passkey_added',
  'passkey_removed',
  'password_set',
  'password_removed',
  'oidc_linked',
  'oidc_unlinked',
  'token_created',
  'token_revoked',
  'pin_set',
  'pin_removed',
  'zone_unlocked',
  'zone_unlock_failed',
  'zone_locked_out',
  'share_created',
  'share_changed',
  'share_revoked',
  'share_unlocked',
  'share_unlock_failed',
  'exported',
  'imported',
  'restored',
  'connection_changed',
  'connection_removed',
  'trash_emptied',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

export const ACTOR_KINDS = ['session', 'token', 'visitor', 'operator', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who did it. `id` and `name` are those of the session or token; '' where there is none. */
export interface SecurityActor {
  readonly kind: ActorKind;
  readonly id: string;
  readonly name: string;
}

/** Named as in the API; times in ISO 8601. */
export type SecurityFacts = Readonly<
  Record<string, string | number | boolean | null | readonly string[]>
>;

/** An entry of the log of security events. It never holds a password, a code, a token or a document's text. */
export interface SecurityEvent {
  readonly id: string;
  /** Its position in the owner's chain, from 1, without gaps. */
  readonly seq: number;
  readonly at: Instant;
  readonly kind: SecurityEventKind;
  readonly actor: SecurityActor;
  /** /24 or /48; '' without a client. */
  readonly network: string;
  /** What it is about: the id of a token, session, passkey, share or connection kind; '' for the account. */
  readonly subject: string;
  /** A sentence for people. */
  readonly detail: string;
  /** What the sentence says, for programs: names, numbers and codes. null: of an earlier version, or there is none. */
  readonly facts: SecurityFacts | null;
  /** The object it concerns; null for none. */
  readonly objectId: string | null;
  /** Digest of the previous event; '' for the first. */
  readonly previousDigest: string;
  /** SHA-256 over `previousDigest` and all fields of the event: see `core/security-events/chain.ts`. */
  readonly digest: string;
}

export interface SecurityEventPosition {
  readonly seq: number;
}

/** Identifies an event outside of the service, where `seq` would reveal how many events are not listed. */
export type SecurityEventKey = Pick<SecurityEvent, 'at' | 'id'>;

export interface SecurityEventFilter {
  /** `visible`: events that concern a hidden or erased object are excluded. */
  readonly visibility: 'visible' | 'any';
  readonly kind?: SecurityEventKind;
}

/**
 * The log of security events of one owner: events are appended and expire, and are never changed.
 *
 * Contract (contract-tests/suites/security-event-store.ts):
 * - `append` adds an event; `last` returns the one with the highest `seq`, also after earlier ones were removed.
 * - `page` lists newest first, field for field, after a position, filtered by kind, at most `limit`.
 * - `positionOf` returns the position of an event by its time and id, and nothing for one that does not exist.
 * - With visibility `visible`, events of an object that is hidden at that moment, or was erased, are excluded.
 * - `chain` returns events in ascending order of `seq` after one, at most `limit`.
 * - `countSince` counts events of a kind since a moment, up to `limit`.
 * - `removeBefore` removes the first events of the chain that are from before the moment, at most `limit`, but never the
 *   last one: what remains has no gaps.
 */
export interface SecurityEventStore {
  append(event: SecurityEvent): Promise<void>;
  last(): Promise<SecurityEvent | undefined>;
  page(
    filter: SecurityEventFilter,
    request: { readonly limit: number; readonly after?: SecurityEventPosition },
  ): Promise<readonly SecurityEvent[]>;
  positionOf(key: SecurityEventKey): Promise<SecurityEventPosition | undefined>;
  chain(afterSeq: number, limit: number): Promise<readonly SecurityEvent[]>;
  countSince(kind: SecurityEventKind, since: Instant, limit: number): Promise<number>;
  removeBefore(before: Instant, limit: number): Promise<void>;
}

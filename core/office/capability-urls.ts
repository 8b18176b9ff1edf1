import type { Sealer } from '../../ports/secrets.ts';
import type { Clock, Instant } from '../../ports/runtime.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { notFound } from '../shared/common-errors.ts';
import type { CredentialId } from '../identity/index.ts';

/** A capability in a URL for the document server: one action on one document, with an expiry. */
interface OfDocument {
  readonly scope: OwnerScope;
  readonly objectId: string;
  /** The version that was opened. */
  readonly version: number;
  /** The bearer token or the session with which it was opened. */
  readonly credential: CredentialId;
  readonly until: Instant;
}

/** Permission to read the bytes of the version. */
export interface FileCapability extends OfDocument {
  readonly opens: 'file';
  /** Digest of the unlock token with which a hidden object was opened. */
  readonly unlockedBy: string | null;
}

/** Permission to report the editing status. */
export interface CallbackCapability extends OfDocument {
  readonly opens: 'callback';
  readonly key: string;
}

/** Permission to read the text of a selftest, which belongs to no owner. */
export interface ProbeCapability {
  readonly opens: 'probe';
  readonly nonce: string;
  readonly until: Instant;
}

export type UrlCapability = FileCapability | CallbackCapability | ProbeCapability;

export interface CapabilityDeps {
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** Domain separation from other sealed values of this installation. */
const PURPOSE = 'office address';

/** Sealed, so that it cannot be forged or read by others: it contains the ids of an owner and an object. */
export const sealCapability = (
  { sealer }: Pick<CapabilityDeps, 'sealer'>,
  pass: UrlCapability,
): string => sealer.seal(JSON.stringify({ purpose: PURPOSE, pass }));

/** Opens a capability. A selftest's differs from a document's only in its content. Ends with `not_found` only. */
export function openCapability(
  { sealer, clock }: CapabilityDeps,
  sent: string,
  kind: 'file' | 'callback',
): UrlCapability {
  const plain = sealer.open(sent);
  const pass = plain === undefined ? undefined : passIn(plain);
  const fits = pass && (pass.opens === 'callback') === (kind === 'callback');
  if (!fits || pass.until <= clock.now()) throw notFound();
  return pass;
}

function passIn(plain: string): UrlCapability | undefined {
  // Other sealed values may contain any text.
  if (!plain.startsWith(`{"purpose":"${PURPOSE}"`)) return undefined;
  return (JSON.parse(plain) as { readonly pass: UrlCapability }).pass;
}

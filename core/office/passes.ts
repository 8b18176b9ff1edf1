import type { Sealer } from '../../ports/secrets.ts';
import type { Clock, Instant } from '../../ports/time-and-ids.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { notFound } from '../shared/common-errors.ts';

/** What an address that is given to the engine opens: one thing, of one document, for a while. */
interface OfDocument {
  readonly scope: OwnerScope;
  readonly objectId: string;
  /** The version that was opened. */
  readonly version: number;
  /** Of the bearer token that it was opened with. */
  readonly tokenId: string;
  readonly until: Instant;
}

/** To read the bytes of the version. */
export interface FilePass extends OfDocument {
  readonly opens: 'file';
  /** Digest of the unlock token that a hidden object was seen with. */
  readonly unlockedBy: string | null;
}

/** To tell how editing goes. */
export interface CallbackPass extends OfDocument {
  readonly opens: 'callback';
  readonly key: string;
}

/** To read a text of the selftest, which belongs to nobody. */
export interface ProbePass {
  readonly opens: 'probe';
  readonly nonce: string;
  readonly until: Instant;
}

export type Pass = FilePass | CallbackPass | ProbePass;

export interface PassDeps {
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** Says what it is sealed for, so that no other seal of this installation is taken for one. */
const PURPOSE = 'office address';

/** Sealed, it can neither be made up nor read by anybody else: it names an owner and an object. */
export const sealPass = ({ sealer }: Pick<PassDeps, 'sealer'>, pass: Pass): string =>
  sealer.seal(JSON.stringify({ purpose: PURPOSE, pass }));

/** Of a selftest nothing is told apart from a document here; other doors stay closed. Ends with `not_found` alone. */
export function passOf({ sealer, clock }: PassDeps, sent: string, door: 'file' | 'callback'): Pass {
  const plain = sealer.open(sent);
  const pass = plain === undefined ? undefined : passIn(plain);
  const fits = pass && (pass.opens === 'callback') === (door === 'callback');
  if (!fits || pass.until <= clock.now()) throw notFound();
  return pass;
}

function passIn(plain: string): Pass | undefined {
  // Other seals hold texts of any kind.
  if (!plain.startsWith(`{"purpose":"${PURPOSE}"`)) return undefined;
  return (JSON.parse(plain) as { readonly pass: Pass }).pass;
}

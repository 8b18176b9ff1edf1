import type { SecurityEvent } from '../../ports/security-events.ts';
import type { SecretDigest } from '../../ports/secrets.ts';

/**
 * The digest that links an event to the one before it: SHA-256 over a JSON array of all fields in a fixed order, so that no
 * two different events have the same input.
 */
export const digestOf = (
  { digest }: Pick<SecretDigest, 'digest'>,
  event: Omit<SecurityEvent, 'digest'>,
): string =>
  digest(
    JSON.stringify([
      event.previousDigest,
      event.seq,
      event.id,
      event.at,
      event.kind,
      event.actor.kind,
      event.actor.id,
      event.actor.name,
      event.network,
      event.subject,
      event.detail,
      event.objectId,
      // Left out where there are none: so the digests of events of earlier versions remain valid.
      ...(event.facts === null ? [] : [event.facts]),
    ]),
  );

/**
 * What is wrong with an event: it differs from what was appended, it does not follow the event before it, or events before it
 * are missing.
 */
export type ChainFault = 'changed' | 'unlinked' | 'missing';

/**
 * Checks events of one chain in the order of `seq`. The first one may have any number: earlier events expire. An event that
 * was removed at the end is not found, since nothing refers to it.
 */
export function createChainVerifier(
  digests: Pick<SecretDigest, 'digest'>,
): (event: SecurityEvent) => ChainFault | undefined {
  let previous: Pick<SecurityEvent, 'seq' | 'digest'> | undefined;
  return (event) => {
    const before = previous ?? firstLink(event);
    previous = event;
    const { digest, ...linked } = event;
    if (digestOf(digests, linked) !== digest) return 'changed';
    if (before.seq + 1 !== event.seq) return 'missing';
    return before.digest === event.previousDigest ? undefined : 'unlinked';
  };
}

/** The first event of all has none before it; of a later one, the event before it has expired. */
const firstLink = ({ seq, previousDigest }: SecurityEvent) => ({
  seq: seq - 1,
  digest: seq === 1 ? '' : previousDigest,
});

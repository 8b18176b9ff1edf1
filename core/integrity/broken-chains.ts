import type { ChainPosition, IntegrityChecks, OwnedSecurityEvent } from '../../ports/integrity.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import { createChainVerifier, type ChainFault } from '../security-events/index.ts';

const BATCH = 500;

export interface BrokenChainDeps {
  readonly integrity: Pick<IntegrityChecks, 'securityEvents'>;
  readonly digests: Pick<SecretDigest, 'digest'>;
}

/**
 * Checks the hash chains of the security events of all owners. Finds the events that were changed, that do not follow the
 * one before them, or that follow a gap. Events may be appended and may expire meanwhile.
 */
export async function findBrokenChains(
  deps: BrokenChainDeps,
): Promise<Readonly<Record<ChainFault, readonly string[]>>> {
  const faults: Record<ChainFault, string[]> = { changed: [], unlinked: [], missing: [] };
  let [owner, verify] = ['', createChainVerifier(deps.digests)];
  for (let after: ChainPosition | null = null; ;) {
    const page: readonly OwnedSecurityEvent[] = await deps.integrity.securityEvents(after, BATCH);
    for (const { ownerId, event } of page) {
      if (ownerId !== owner) [owner, verify] = [ownerId, createChainVerifier(deps.digests)];
      const position = { ownerId, seq: event.seq };
      const fault = verify(event);
      if (fault === undefined || (fault === 'missing' && (await isFirst(deps, position)))) continue;
      faults[fault].push(`${ownerId}/${event.seq}`);
    }
    const last = page.at(-1);
    if (!last || page.length < BATCH) return faults;
    after = { ownerId: last.ownerId, seq: last.event.seq };
  }
}

/** Whether the events before it, some of which were read, have expired since. */
async function isFirst(
  { integrity }: BrokenChainDeps,
  { ownerId, seq }: ChainPosition,
): Promise<boolean> {
  const [first] = await integrity.securityEvents({ ownerId, seq: 0 }, 1);
  return first?.ownerId !== ownerId || first.event.seq >= seq;
}

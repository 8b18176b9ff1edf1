import type { BlobStore, ContentDigest } from '../../ports/blobs.ts';
import type { Directory } from '../../ports/directory.ts';
import {
  MAX_EXAMPLES,
  ROW_CHECKS,
  type Finding,
  type IntegrityChecks,
} from '../../ports/integrity.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import { findBrokenChains } from './broken-chains.ts';
import { findMissingBlobs } from './missing-blobs.ts';
import { findOrphanBlobs } from './orphan-blobs.ts';

export interface IntegrityDeps {
  readonly integrity: IntegrityChecks;
  readonly directory: Pick<Directory, 'strayBlobs' | 'strayCopies'>;
  readonly blobs: Pick<BlobStore, 'list' | 'read'>;
  readonly digest: ContentDigest;
  readonly digests: Pick<SecretDigest, 'digest'>;
}

export interface IntegrityOptions {
  /** Bytes written since then may still get a row. */
  readonly settledBefore: Instant;
  /** Reads every blob and compares it with its row. */
  readonly verify: boolean;
}

/**
 * Checks the integrity of a workspace: orphaned rows, counters that differ from a recount, chains of security events that
 * were tampered with, bytes without a row and rows without their bytes. Changes nothing, and can run next to a running
 * service. Each finding is reported as it is made, including checks that found nothing.
 */
export async function* checkIntegrity(
  deps: IntegrityDeps,
  options: IntegrityOptions,
): AsyncGenerator<Finding> {
  for (const check of ROW_CHECKS) yield deps.integrity.examine(check);
  for (const [fault, events] of Object.entries(await findBrokenChains(deps)))
    yield finding(`security_events_${fault}`, events);
  const { stray, tooRecent } = await findOrphanBlobs(deps, options.settledBefore);
  yield finding('blobs_without_row', stray);
  yield finding(NOT_SETTLED, tooRecent);
  yield finding(LEFT_OVER, await leftOver(deps, options.settledBefore));
  const { missing, damaged, unreachable } = await findMissingBlobs(deps, options.verify);
  yield finding('rows_without_blob', missing);
  yield finding(NOT_REACHED, unreachable);
  if (options.verify) yield finding('damaged_blobs', damaged);
}

/** Copies in progress, which are normal in a running service. */
const NOT_SETTLED = 'blobs_not_settled';
/** Files in an owner's bucket that cannot be accessed now, which says nothing about them. */
const NOT_REACHED = 'blobs_out_of_reach';
/** Unneeded bytes in an owner's bucket that could not be removed yet. */
const LEFT_OVER = 'copies_without_content';
const NOTES: readonly string[] = [NOT_SETTLED, NOT_REACHED, LEFT_OVER];

export const isDamage = ({ name, count }: Finding): boolean => !NOTES.includes(name) && count > 0;

const BATCH = 500;

async function leftOver(
  { directory }: Pick<IntegrityDeps, 'directory'>,
  settledBefore: Instant,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after: string | null = null; ;) {
    const page = await directory.strayCopies(settledBefore, after, BATCH);
    for (const { scope, blobId } of page) found.push(`${scope.ownerId}/${(after = blobId)}`);
    if (page.length < BATCH) return found;
  }
}

const finding = (name: string, found: readonly string[]): Finding => ({
  name,
  count: found.length,
  examples: found.slice(0, MAX_EXAMPLES),
});

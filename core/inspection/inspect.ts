import type { BlobStore, ContentDigest } from '../../ports/blobs.ts';
import type { Directory } from '../../ports/directory.ts';
import {
  MOST_EXAMPLES,
  ROW_CHECKS,
  type Finding,
  type Inspection,
} from '../../ports/inspection.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
import { missingBlobs } from './missing-blobs.ts';
import { strayBlobs } from './stray-blobs.ts';

export interface InspectDeps {
  readonly inspection: Inspection;
  readonly directory: Pick<Directory, 'strayBlobs'>;
  readonly blobs: Pick<BlobStore, 'list' | 'read'>;
  readonly digest: ContentDigest;
}

export interface InspectOptions {
  /** Bytes written since may still be waiting for their row. */
  readonly settledBefore: Instant;
  /** Reads every blob and compares it with what its row says. */
  readonly verify: boolean;
}

/**
 * Looks for what must not be in a workspace: rows without what they speak of, numbers that have drifted, bytes without
 * a row and rows without their bytes. Changes nothing, and can be run beside a service at work. Each finding is told
 * as it is made, those that found nothing included.
 */
export async function* inspectWorkspace(
  deps: InspectDeps,
  options: InspectOptions,
): AsyncGenerator<Finding> {
  for (const check of ROW_CHECKS) yield deps.inspection.examine(check);
  const { stray, unsettled } = await strayBlobs(deps, options.settledBefore);
  yield finding('blobs_without_row', stray);
  yield finding(NOT_SETTLED, unsettled);
  const { missing, damaged } = await missingBlobs(deps, options.verify);
  yield finding('rows_without_blob', missing);
  if (options.verify) yield finding('damaged_blobs', damaged);
}

/** Bytes on their way in or out, which a service at work always may have. */
const NOT_SETTLED = 'blobs_not_settled';

export const isDamage = ({ name, count }: Finding): boolean => name !== NOT_SETTLED && count > 0;

const finding = (name: string, found: readonly string[]): Finding => ({
  name,
  count: found.length,
  examples: found.slice(0, MOST_EXAMPLES),
});

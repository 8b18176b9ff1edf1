import type { Content } from '../../ports/contents.ts';
import type { BlobCopy } from '../../ports/blob-locations.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

export interface RetainedContent {
  readonly content: Content;
  /** The blob that was written for the reference and is not needed; null if it is used. */
  readonly unusedBlobId: string | null;
}

/**
 * Adds a reference to durable bytes. An owner's equal bytes are stored once. If the earlier copy is in another
 * location than the one for new files, readers are directed to the new copy: otherwise the location of a file would
 * depend on earlier equal bytes, which may belong to a hidden object. The earlier copy is removed by the sweep of
 * copies.
 *
 * A reference of a hidden object never redirects readers: equal bytes may be visible as well, and the location of a
 * visible file must not show that a hidden object was written.
 */
export async function retainContent(
  { clock }: { readonly clock: Clock },
  { contents, blobLocations }: Pick<Stores, 'contents' | 'blobLocations'>,
  offered: Content,
  isHidden: boolean,
): Promise<RetainedContent> {
  const content = await contents.retain(offered);
  const { blobId } = content;
  if (blobId === offered.blobId) return { content, unusedBlobId: null };
  const earlier = await currentCopy(blobLocations, blobId);
  // A reference added before this one has directed readers to it.
  if (earlier.copyId === offered.blobId) return { content, unusedBlobId: null };
  if (isHidden) return { content, unusedBlobId: offered.blobId };
  const written = await currentCopy(blobLocations, offered.blobId);
  // A bucket that was disconnected meanwhile must not hold a file in use.
  const isOrdinary = written.location === 'service' || written.location === 'own';
  if (!isOrdinary || written.location === earlier.location)
    return { content, unusedBlobId: offered.blobId };
  const createdAt = clock.now();
  await blobLocations.save({ ...earlier, blobId, state: 'deleting', createdAt });
  await blobLocations.save({ ...written, blobId, state: 'current', createdAt });
  return { content, unusedBlobId: null };
}

/** A blob without a location row is in the service's storage under its own id. */
async function currentCopy(
  blobLocations: Stores['blobLocations'],
  blobId: string,
): Promise<Pick<BlobCopy, 'copyId' | 'location'>> {
  const copies = await blobLocations.copiesOf(blobId);
  const { copyId, location } = copies.find(({ state }) => state === 'current') ?? {
    copyId: blobId,
    location: 'service' as const,
  };
  return { copyId, location };
}

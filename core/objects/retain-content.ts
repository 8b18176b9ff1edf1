import type { Content } from '../../ports/contents.ts';
import type { BlobCopy } from '../../ports/placements.ts';
import type { Clock } from '../../ports/time-and-ids.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

export interface RetainedContent {
  readonly content: Content;
  /** The blob that was written for the reference and is not needed; null where it is. */
  readonly unusedBlobId: string | null;
}

/**
 * Adds a reference to bytes that are durable. An owner stores equal bytes once. Where the earlier copy lies in another
 * place than new files go to now, readers are sent to the new copy: otherwise the place of a file would depend on earlier
 * equal bytes, which may be those of a hidden object. The earlier copy is removed by the sweep of copies.
 */
export async function retainContent(
  { clock }: { readonly clock: Clock },
  { contents, placements }: Pick<Stores, 'contents' | 'placements'>,
  offered: Content,
): Promise<RetainedContent> {
  const content = await contents.retain(offered);
  const { blobId } = content;
  if (blobId === offered.blobId) return { content, unusedBlobId: null };
  const earlier = await currentCopy(placements, blobId);
  // A reference before this one has sent readers to it.
  if (earlier.storedAs === offered.blobId) return { content, unusedBlobId: null };
  const written = await currentCopy(placements, offered.blobId);
  // A bucket that was disconnected meanwhile is no place for a file that is wanted.
  const isOrdinary = written.location === 'service' || written.location === 'own';
  if (!isOrdinary || written.location === earlier.location)
    return { content, unusedBlobId: offered.blobId };
  const createdAt = clock.now();
  await placements.save({ ...earlier, blobId, state: 'deleting', createdAt });
  await placements.save({ ...written, blobId, state: 'current', createdAt });
  return { content, unusedBlobId: null };
}

/** A blob without a row lies with the service under its own id. */
async function currentCopy(
  placements: Stores['placements'],
  blobId: string,
): Promise<Pick<BlobCopy, 'storedAs' | 'location'>> {
  const copies = await placements.copiesOf(blobId);
  const { storedAs, location } = copies.find(({ state }) => state === 'current') ?? {
    storedAs: blobId,
    location: 'service' as const,
  };
  return { storedAs, location };
}

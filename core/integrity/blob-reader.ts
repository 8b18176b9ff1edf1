import { BlobNotFoundError, type BlobStore, type ByteRange } from '../../ports/blobs.ts';
import { bucketFailure, isBucketFailure, type Buckets } from '../../ports/buckets.ts';
import type { Directory } from '../../ports/directory.ts';
import type { CopyLocation } from '../../ports/blob-locations.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { addressOf, retiredLocation } from '../integrations/index.ts';

export interface BlobReaderDeps {
  readonly uow: Pick<UnitOfWork<'integrations'>, 'read'>;
  readonly directory: Pick<Directory, 'copiesOf'>;
  readonly buckets: Pick<Buckets, 'open'>;
  readonly sealer: Sealer;
  /** The service's storage. */
  readonly storage: Pick<BlobStore, 'list' | 'read'>;
}

/**
 * Read-only access to blobs in any location. A bucket that failed is not tried again, since each file would wait for
 * its timeout.
 */
export function createBlobReader(deps: BlobReaderDeps): Pick<BlobStore, 'list' | 'read'> {
  const failing = new Map<string, string>();
  async function* read(blobId: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const owned = await deps.directory.copiesOf(blobId);
    const copy = owned?.copies.find(({ state }) => state === 'current');
    if (!owned || copy === undefined || copy.location === 'service') {
      yield* deps.storage.read(copy?.copyId ?? blobId, range);
      return;
    }
    const { ownerId } = owned.scope;
    const known = failing.get(ownerId);
    if (known !== undefined) throw bucketFailure(known);
    try {
      yield* (await bucketOf(deps, owned.scope, copy.location)).read(copy.copyId, range);
    } catch (error) {
      if (isBucketFailure(error)) failing.set(ownerId, error.message);
      throw error;
    }
  }
  return { list: () => deps.storage.list(), read };
}

async function bucketOf(
  deps: BlobReaderDeps,
  scope: OwnerScope,
  place: CopyLocation,
): Promise<Pick<BlobStore, 'read'>> {
  const found = await deps.uow.read(scope, async ({ integrations }) =>
    place === 'own'
      ? integrations.find('s3')
      : (await integrations.retired()).find(({ id }) => retiredLocation(id) === place),
  );
  if (!found) throw new BlobNotFoundError('The bucket that contains it is no longer connected.');
  const address = addressOf(deps, found);
  if ('wrong' in address) throw bucketFailure(address.wrong);
  return deps.buckets.open(address);
}

import type { BlobStore } from '../../ports/blobs.ts';
import { bucketFailure, isBucketFailure, type Buckets } from '../../ports/buckets.ts';
import type { Integration } from '../../ports/integrations.ts';
import type { CopyLocation } from '../../ports/blob-locations.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { addressOf, recordOutcome, retiredLocation } from '../integrations/index.ts';
import type { NotifyDeps } from '../notifications/index.ts';

export interface BucketDeps extends NotifyDeps {
  readonly uow: UnitOfWork<'integrations' | 'notifications'>;
  readonly buckets: Pick<Buckets, 'open'>;
  readonly sealer: Sealer;
  /**
   * Errors of the bucket are not recorded on its card: the work may be for files of hidden objects, which must not show
   * there.
   */
  readonly unrecorded?: true;
}

/** The bucket that the owner has connected, enabled or not, or a retired one; undefined if it no longer exists. */
export async function bucketAt(
  deps: BucketDeps,
  scope: OwnerScope,
  place: Exclude<CopyLocation, 'service'>,
): Promise<BlobStore | undefined> {
  if (place === 'own') {
    const found = await deps.uow.read(scope, ({ integrations }) => integrations.find('s3'));
    return found && openBucket(deps, scope, found);
  }
  const retired = await deps.uow.read(scope, ({ integrations }) => integrations.retired());
  const found = retired.find(({ id }) => retiredLocation(id) === place);
  if (!found) return undefined;
  const address = addressOf(deps, found);
  if ('wrong' in address) throw bucketFailure(address.wrong);
  // A retired bucket has no card on which an error could be recorded.
  return deps.buckets.open(address);
}

/** A connected bucket, to be used outside of units of work. The outcome of its use is recorded on its card. */
export function openBucket(deps: BucketDeps, scope: OwnerScope, used: Integration): BlobStore {
  const address = addressOf(deps, used);
  if ('wrong' in address) throw bucketFailure(address.wrong);
  const store = deps.buckets.open(address);
  if (deps.unrecorded) return store;

  /** Only changes are recorded: most uses have the known outcome. */
  const tell = async (reason: string): Promise<void> => {
    const isNew = (used.health === 'ok') === (reason !== '');
    if (!isNew) return;
    const outcome = reason === '' ? { ok: true as const } : { ok: false as const, reason };
    await deps.uow.write(scope, (stores) => recordOutcome(deps, stores, 's3', used, outcome));
  };
  const failed = async (error: unknown): Promise<never> => {
    if (isBucketFailure(error)) await tell(error.message);
    throw error;
  };

  return {
    write: async (source, limit) => {
      const written = await store.write(source, limit).catch(failed);
      await tell('');
      return written;
    },
    remove: (blobId) => store.remove(blobId).catch(failed),
    read: (blobId, range) => notifying(store.read(blobId, range), failed),
    list: () => notifying(store.list(), failed),
  };
}

async function* notifying<T>(
  source: AsyncIterable<T>,
  failed: (error: unknown) => Promise<never>,
): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    await failed(error);
  }
}

/** Records on the card of the bucket that it returned other bytes than were stored. */
export async function recordDamage(
  deps: BucketDeps,
  scope: OwnerScope,
  reason: string,
): Promise<void> {
  if (deps.unrecorded) return;
  await deps.uow.write(scope, async (stores) => {
    const used = await stores.integrations.find('s3');
    if (used) await recordOutcome(deps, stores, 's3', used, { ok: false, reason });
  });
}

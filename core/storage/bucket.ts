import type { BlobStore } from '../../ports/blobs.ts';
import { bucketFailure, isBucketFailure, type Buckets } from '../../ports/buckets.ts';
import type { Integration } from '../../ports/integrations.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { addressOf, recordOutcome } from '../integrations/index.ts';
import type { NotifyDeps } from '../notifications/index.ts';

export interface BucketDeps extends NotifyDeps {
  readonly uow: UnitOfWork<'integrations' | 'notifications'>;
  readonly buckets: Pick<Buckets, 'open'>;
  readonly sealer: Sealer;
}

export interface OwnBucket {
  readonly blobs: BlobStore;
  readonly enabled: boolean;
}

/** The bucket that the owner has connected, enabled or not, or nothing. */
export async function bucketOf(
  deps: BucketDeps,
  scope: OwnerScope,
): Promise<OwnBucket | undefined> {
  const found = await deps.uow.read(scope, ({ integrations }) => integrations.find('s3'));
  return found && { blobs: openBucket(deps, scope, found), enabled: found.enabled };
}

/** A connected bucket, to be used outside of units of work. What using it shows is put down on its card. */
export function openBucket(deps: BucketDeps, scope: OwnerScope, used: Integration): BlobStore {
  const address = addressOf(deps, used);
  if ('wrong' in address) throw bucketFailure(address.wrong);
  const store = deps.buckets.open(address);

  /** Only news is put down: most uses show what is known. */
  const tell = async (reason: string): Promise<void> => {
    const isNews = (used.health === 'ok') === (reason !== '');
    if (!isNews) return;
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
    read: (blobId, range) => telling(store.read(blobId, range), failed),
    list: () => telling(store.list(), failed),
  };
}

async function* telling<T>(
  source: AsyncIterable<T>,
  failed: (error: unknown) => Promise<never>,
): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    await failed(error);
  }
}

import type { Integration } from '../../ports/integrations.ts';
import type { MigrationCount } from '../../ports/storage-migrations.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { newTask } from '../tasks/index.ts';
import { bucketConfig, retiredLocation, isSameBucket, type BucketConfig } from './bucket.ts';
import { inUse } from './errors.ts';

/** The task that moves back the files of a retired bucket; its subject is the id of the bucket. */
export const RETIRED_TASK = 'storage.retrieve';

/** Objects counted in one unit of work. */
const OBJECTS_AT_ONCE = 2_000;

export interface InUseDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'storageMigrations' | 'pinLock'>;
}

export interface RetireDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
}

/**
 * Rejects a disconnect while the bucket contains files of objects that the caller can see. Other files in it, such as
 * those of hidden objects behind a locked zone, must not affect the response. They are moved back once the bucket is
 * retired.
 */
export async function requireUnused(deps: InUseDeps, caller: Caller): Promise<void> {
  const hidden = await deps.uow.read(
    caller.scope,
    async ({ pinLock }) => (await zoneFor(deps, pinLock, caller)) !== 'closed',
  );
  if (await holdsFilesInSight(deps, caller.scope, hidden)) throw inUse();
}

async function holdsFilesInSight(
  { uow }: InUseDeps,
  scope: OwnerScope,
  hidden: boolean,
): Promise<boolean> {
  for (let after: string | null = null; ;) {
    const from: string | null = after;
    const part: MigrationCount = await uow.read(scope, ({ storageMigrations }) =>
      storageMigrations.count('service', { hidden }, from, OBJECTS_AT_ONCE),
    );
    if (part.elsewhere > 0) return true;
    if (part.next === null) return false;
    after = part.next;
  }
}

/** Removes a bucket from the settings, but retains its connection while any copy is in it. */
export async function retireBucket(
  deps: RetireDeps,
  { integrations, blobLocations, tasks }: Pick<Stores, 'integrations' | 'blobLocations' | 'tasks'>,
  { config, sealedSecret }: Pick<Integration, 'config' | 'sealedSecret'>,
): Promise<void> {
  if (!(await blobLocations.hasOwnerCopies())) return;
  const id = deps.random.uuid();
  await integrations.retire({ id, config, sealedSecret });
  await blobLocations.relocate('own', retiredLocation(id));
  await tasks.save(newTask(deps, RETIRED_TASK, id, {}));
}

/** Adopts the copies of a retired bucket that is connected again: the old connection may no longer work. */
export async function adoptRetired(
  { integrations, blobLocations }: Pick<Stores, 'integrations' | 'blobLocations'>,
  config: BucketConfig,
): Promise<void> {
  for (const retired of await integrations.retired())
    if (isSameBucket(bucketConfig(retired), config)) {
      await blobLocations.relocate(retiredLocation(retired.id), 'own');
      await integrations.forgetRetired(retired.id);
    }
}

import type { Directory } from '../../ports/directory.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Clock, Instant, RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { enqueueAll, type TaskNudge } from '../tasks/index.ts';
import { UPLOAD_LIFETIME_MS } from './limits.ts';
import { releaseParts } from './parts.ts';

export interface ExpireDeps {
  readonly uow: UnitOfWork<'uploads' | 'contents' | 'tasks'>;
  readonly directory: Pick<Directory, 'ownersWithIdleUploads'>;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomSource;
}

const OWNERS_PER_QUERY = 50;
const UPLOADS_PER_WRITE = 20;
/** The rest is left to the next run. */
const MAX_UPLOADS_PER_RUN = 10_000;

/**
 * Removes the parts of uploads without progress. Their rows remain for as long again, so that a client learns that they
 * have expired, and so do those of finished uploads. Returns the number of expired uploads.
 */
export async function expireUploads(
  deps: ExpireDeps,
  shouldContinue: () => boolean = () => true,
): Promise<number> {
  const before = deps.clock.now() - UPLOAD_LIFETIME_MS;
  let expired = 0;
  for (let seen = 0; seen < MAX_UPLOADS_PER_RUN;) {
    const owners = await deps.directory.ownersWithIdleUploads(before, OWNERS_PER_QUERY);
    if (owners.length === 0) break;
    for (const scope of owners) {
      if (!shouldContinue()) return expired;
      const ended = await expireSome(deps, scope, before);
      expired += ended.expired;
      seen += ended.seen;
    }
  }
  return expired;
}

async function expireSome(deps: ExpireDeps, scope: OwnerScope, before: Instant) {
  const nudges: TaskNudge[] = [];
  const ended = await deps.uow.write(scope, async (stores) => {
    const idle = await stores.uploads.idle(before, UPLOADS_PER_WRITE);
    let expired = 0;
    for (const upload of idle) {
      nudges.push(...(await releaseParts(deps, stores, upload.id)));
      if (upload.state === 'open') {
        const progressAt = deps.clock.now();
        await stores.uploads.save({ ...upload, state: 'expired', received: 0, progressAt });
        expired++;
      } else await stores.uploads.remove(upload.id);
    }
    return { expired, seen: idle.length };
  });
  await enqueueAll(deps.jobs, nudges);
  return ended;
}

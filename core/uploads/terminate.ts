import type { JobQueue } from '../../ports/jobs.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { enqueueAll } from '../tasks/index.ts';
import { releaseParts, type PartDeps } from './parts.ts';
import { findUpload } from './state.ts';

export interface TerminateDeps extends Omit<PartDeps, 'uow' | 'blobs'> {
  readonly uow: UnitOfWork<'uploads' | 'objects' | 'pinLock' | 'contents' | 'tasks'>;
  readonly jobs: JobQueue;
}

/** Forgets an upload with its parts. The object of a finished one remains. Ends with `not_found` or `upload_expired`. */
export async function terminateUpload(
  deps: TerminateDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  const nudges = await deps.uow.write(caller.scope, async (stores) => {
    await findUpload(deps, stores, caller, id);
    const released = await releaseParts(deps, stores, id);
    await stores.uploads.remove(id);
    return released;
  });
  await enqueueAll(deps.jobs, nudges);
}

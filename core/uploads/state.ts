import type { Clock, Instant } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { PartialUpload } from '../../ports/uploads.ts';
import { canSee, zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { offsetMismatch, uploadExpired } from './errors.ts';
import { UPLOAD_LIFETIME_MS } from './limits.ts';

/** An upload as its client sees it. */
export interface UploadView {
  readonly id: string;
  readonly metadata: string;
  readonly size: number;
  /** Every byte below it is durable. Equal to `size` only if the object exists. */
  readonly received: number;
  /** Null if it is finished. */
  readonly expiresAt: Instant | null;
  readonly objectId: string | null;
  /** The run that placed the file, of a folder drop: it can be undone like a reorganization. */
  readonly dropId: string | null;
}

export interface GetUploadDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'uploads' | 'objects' | 'pinLock'>;
}

export const viewOf = (upload: PartialUpload): UploadView => ({
  id: upload.id,
  metadata: upload.metadata,
  size: upload.size,
  received: upload.received,
  expiresAt: upload.state === 'finished' ? null : upload.progressAt + UPLOAD_LIFETIME_MS,
  objectId: upload.objectId,
  dropId: upload.dropId,
});

/**
 * The upload of this caller. An object that the caller may not see has to look like one that was erased, so its upload is
 * not found either way. Ends with `not_found` or `upload_expired`.
 */
export async function findUpload(
  deps: ZoneDeps,
  stores: Pick<Stores, 'uploads' | 'objects' | 'pinLock'>,
  caller: Caller,
  id: string,
): Promise<PartialUpload> {
  const upload = await stores.uploads.find(id);
  if (!upload) throw notFound();
  if (hasExpired(deps.clock, upload)) throw uploadExpired();
  if (upload.objectId === null) return upload;
  const object = await stores.objects.find(upload.objectId);
  if (!object || !canSee(object, await zoneFor(deps, stores.pinLock, caller))) throw notFound();
  return upload;
}

const hasExpired = (clock: Clock, { state, progressAt }: PartialUpload): boolean =>
  state === 'expired' || (state === 'open' && progressAt + UPLOAD_LIFETIME_MS <= clock.now());

/** The upload if it is open and has exactly these bytes. Ends with `offset_mismatch` otherwise. */
export async function findAt(
  deps: ZoneDeps,
  stores: Pick<Stores, 'uploads' | 'objects' | 'pinLock'>,
  caller: Caller,
  id: string,
  offset: number,
): Promise<PartialUpload> {
  const upload = await findUpload(deps, stores, caller, id);
  if (upload.state !== 'open' || upload.received !== offset) throw offsetMismatch();
  return upload;
}

/** Whether the upload still waits for bytes at this offset: another process may have finished or removed it, with its parts. */
export const isStillAt = (
  { uow }: { readonly uow: UnitOfWork<'uploads'> },
  { scope }: Caller,
  { id, received }: Pick<PartialUpload, 'id' | 'received'>,
): Promise<boolean> =>
  uow.read(scope, async ({ uploads }) => {
    const upload = await uploads.find(id);
    return upload?.state === 'open' && upload.received === received;
  });

/** The state of an upload. Ends with `not_found` or `upload_expired`. */
export async function getUpload(
  deps: GetUploadDeps,
  caller: Caller,
  id: string,
): Promise<UploadView> {
  return deps.uow.read(caller.scope, async (stores) =>
    viewOf(await findUpload(deps, stores, caller, id)),
  );
}

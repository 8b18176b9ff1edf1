import type { RandomSource } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { OnDuplicate, PartialUpload } from '../../ports/uploads.ts';
import { foldName } from '../../ports/library.ts';
import { boundToFolders } from '../folder-scope/index.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { isFilename, normalizeFilename, requireStorageQuota, tooLarge } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { InvalidInput } from '../shared/errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { tooManyOpenUploads } from './errors.ts';
import { DROP_PAUSE_MS, MAX_OPEN_UPLOADS } from './limits.ts';
import { parseRelativePath } from './relative-path.ts';
import { viewOf, type UploadView } from './state.ts';

export interface CreateUploadDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'uploads' | 'contents' | 'collections' | 'pinLock'>;
  readonly random: RandomSource;
  /** Bytes of one file. */
  readonly maxUploadBytes: number;
}

export interface NewUpload {
  readonly size: number;
  /** Instead of it, the last part of the path may name the file. */
  readonly filename?: string;
  readonly collectionId?: string;
  readonly onDuplicate?: OnDuplicate;
  readonly relativePath?: string;
  /** As the client sent it, to be sent back. */
  readonly metadata: string;
}

const RETRY_SECONDS = 60;

/** The largest file that an upload may have, in bytes. */
export const maxUploadSize = ({ maxUploadBytes }: Pick<CreateUploadDeps, 'maxUploadBytes'>) =>
  maxUploadBytes;

/**
 * Begins an upload. Everything that can be known before its bytes is judged here. Ends with `too_large`, `plan_limit`,
 * `not_found`, `forbidden`, `too_many_open_uploads` or `InvalidInput`.
 */
export async function createUpload(
  deps: CreateUploadDeps,
  caller: Caller,
  wanted: NewUpload,
): Promise<UploadView> {
  if (wanted.size > deps.maxUploadBytes) throw tooLarge();
  const { filename, folders } = placementOf(wanted);
  // Folders and themes are the owner's, and the run would show others.
  if (folders.length > 0 && caller.scope.folderIds) throw boundToFolders();
  const now = deps.clock.now();
  const dropName = foldName(folders[0] ?? '');
  return deps.uow.write(caller.scope, async (stores) => {
    await requireFolder(stores, wanted.collectionId ?? null);
    const zone = await zoneFor(deps, stores.pinLock, caller);
    await requireStorageQuota(stores, caller, wanted.size, zone);
    if ((await stores.uploads.countOpen()) >= MAX_OPEN_UPLOADS)
      throw tooManyOpenUploads({}, RETRY_SECONDS);
    const drop = async () =>
      (await stores.uploads.latestDrop(dropName, now - DROP_PAUSE_MS)) ?? deps.random.uuid();
    const upload: PartialUpload = {
      id: deps.random.uuid(),
      filename,
      metadata: wanted.metadata,
      collectionId: wanted.collectionId ?? null,
      onDuplicate: wanted.onDuplicate ?? 'keep',
      folderPath: folders.join('/'),
      dropId: folders.length === 0 ? null : await drop(),
      dropName,
      size: wanted.size,
      received: 0,
      state: 'open',
      objectId: null,
      createdAt: now,
      progressAt: now,
    };
    await stores.uploads.save(upload);
    return viewOf(upload);
  });
}

/** The name of the file, and the folders above it. */
function placementOf({ filename, relativePath, collectionId }: NewUpload) {
  const path = relativePath === undefined ? undefined : parseRelativePath(relativePath);
  const folders = path?.folders ?? [];
  if (folders.length > 0 && collectionId !== undefined)
    throw new InvalidInput('body', 'relative_path', 'Send either a folder or a path of folders.');
  const name = normalizeFilename(filename ?? path?.filename ?? '');
  if (!isFilename(name)) throw new InvalidInput('body', 'filename', 'It is not a valid file name.');
  return { filename: name, folders };
}

import type { StoredObject } from '../../ports/objects.ts';
import { notify } from '../notifications/index.ts';
import { addFilesFrom, type AddDeps, type ReceivedFile } from '../objects/index.ts';
import type { PendingReceipt } from '../shared/caller.ts';
import {
  requireHost,
  requireUnlocked,
  type EntranceDeps,
  type EntranceStores,
  type HostDeps,
  type ShareHost,
  type Visitor,
} from './entrance.ts';
import { viewersOnly } from './errors.ts';

export interface UploadSharedDeps extends AddDeps, EntranceDeps, HostDeps {}

/** Where a contributor's files go. Told before the first byte is taken in. */
export async function hostOfUpload(
  deps: UploadSharedDeps,
  visitor: Visitor,
  token: string,
): Promise<ShareHost> {
  const host = await requireHost(deps, token);
  await deps.uow.read(host.scope, (stores) => folderFor(deps, stores, host, visitor));
  return host;
}

/**
 * Adds files to the folder of a share: all of the request or none. They count for the owner, who is told of each.
 *
 * Ends with `not_found`, `password_required`, `forbidden` and `plan_limit`.
 */
export async function uploadShared(
  deps: UploadSharedDeps,
  visitor: Visitor,
  host: ShareHost & { readonly receipt?: PendingReceipt },
  files: readonly ReceivedFile[],
): Promise<readonly StoredObject[]> {
  return addFilesFrom(deps, host, files, async (stores, add) => {
    const { share, folder } = await folderFor(deps, stores, host, visitor);
    const added: StoredObject[] = [];
    for (const file of files) {
      const object = await add(file, { collectionId: folder.id });
      await notify(deps, stores, {
        kind: 'share.uploaded',
        title: 'A file was uploaded',
        body: `${object.filename} came into ${folder.name} by the link ${share.name || `${share.prefix}…`}.`,
        payload: { share_id: share.id, object_id: object.id },
        about: object,
      });
      added.push(object);
    }
    await stores.shares.count(share.id, 'upload', added.length);
    return added;
  });
}

async function folderFor(
  deps: EntranceDeps,
  stores: EntranceStores,
  { shareId }: ShareHost,
  visitor: Visitor,
) {
  const { share, resource } = await requireUnlocked(deps, stores, shareId, visitor);
  if (share.role !== 'contributor' || resource.kind !== 'folder') throw viewersOnly();
  return { share, folder: resource.folder };
}

import type { StoredObject } from '../../ports/objects.ts';
import type { Share } from '../../ports/shares.ts';
import { notify } from '../notifications/index.ts';
import { addFilesFrom, type AddDeps, type ReceivedFile } from '../objects/index.ts';
import type { PendingIdempotencyRecord } from '../shared/caller.ts';
import {
  requireShareOwner,
  requireUnlocked,
  type VisitorDeps,
  type VisitorStores,
  type ShareOwnerDeps,
  type ShareOwner,
  type Visitor,
} from './visitor-access.ts';
import { moreThanLeft, shareQuota, viewersOnly } from './errors.ts';
import { clientNetwork } from '../shared/network.ts';

export interface UploadSharedDeps extends AddDeps, VisitorDeps, ShareOwnerDeps {}

/** The destination of a contributor's files, and the remaining quota. */
export interface UploadDestination extends ShareOwner {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/**
 * Checked before the first byte is received. `mayRepeat`: the request may repeat an earlier one. It is then received up to
 * the whole quota of the share, and the remaining quota is checked when the files are added.
 */
export async function uploadTarget(
  deps: UploadSharedDeps,
  visitor: Visitor,
  token: string,
  mayRepeat = false,
): Promise<UploadDestination> {
  const host = await requireShareOwner(deps, token);
  const { share } = await deps.uow.read(host.scope, (stores) =>
    folderFor(deps, stores, host, visitor),
  );
  const [bytes, files] = mayRepeat ? [0, 0] : [share.uploadedBytes, share.uploadCount];
  return {
    ...host,
    network: clientNetwork(visitor.address),
    maxBytes: Math.max(0, share.maxUploadBytes - bytes),
    maxFiles: Math.max(0, share.maxUploadFiles - files),
  };
}

/**
 * Adds files to the folder of a share: all of the request or none. They count for the owner, who is notified of each.
 *
 * Ends with `not_found`, `password_required`, `forbidden`, `plan_limit`, `too_large` and `share_quota`.
 */
export async function uploadShared(
  deps: UploadSharedDeps,
  visitor: Visitor,
  host: ShareOwner & { readonly receipt?: PendingIdempotencyRecord },
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
        body: `${object.filename} was uploaded to ${folder.name} through the link ${share.name || `${share.prefix}…`}.`,
        payload: {
          share_id: share.id,
          object_id: object.id,
          filename: object.filename,
          folder: folder.name,
        },
        about: object,
      });
      added.push(object);
    }
    await countUploads(stores, share, files);
    return added;
  });
}

/** Runs in the unit of work that adds the files, so that concurrent uploads cannot exceed the quota together. */
async function countUploads(
  { shares }: Pick<VisitorStores, 'shares'>,
  share: Share,
  files: readonly ReceivedFile[],
): Promise<void> {
  const sent = files.reduce((sum, { blob }) => sum + blob.size, 0);
  const bytes = (await shares.count(share.id, 'bytes', sent)) ?? 0;
  const count = (await shares.count(share.id, 'upload', files.length)) ?? 0;
  if (bytes > share.maxUploadBytes)
    throw moreThanLeft(Math.max(0, share.maxUploadBytes - (bytes - sent)));
  if (count > share.maxUploadFiles) throw shareQuota();
}

async function folderFor(
  deps: VisitorDeps,
  stores: VisitorStores,
  { shareId }: ShareOwner,
  visitor: Visitor,
) {
  const { share, resource } = await requireUnlocked(deps, stores, shareId, visitor);
  if (share.role !== 'contributor' || resource.kind !== 'folder') throw viewersOnly();
  return { share, folder: resource.folder };
}

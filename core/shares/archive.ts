import type { ArchiveFormat, NewEntry } from '../../ports/archives.ts';
import type { OwnerBlobs } from '../../ports/blobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Scheduler, Instant } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { DomainError } from '../shared/errors.ts';
import type { StreamedFile } from '../shared/streamed-file.ts';
import { openBlob, isCompressible, ArchivePaths, readableName } from '../transfer/index.ts';
import { expectedOf } from '../shared/expected-content.ts';
import {
  requireShareOwner,
  requireUnlocked,
  type VisitorDeps,
  type VisitorStores,
  type ShareOwnerDeps,
  type ShareOwner,
  type Visitor,
} from './visitor-access.ts';
import { nameOf, requireShown, shownIn } from './resource.ts';

export interface ArchiveSharedDeps extends VisitorDeps, ShareOwnerDeps {
  readonly uow: UnitOfWork<keyof VisitorStores>;
  readonly archives: ArchiveFormat;
  readonly blobs: OwnerBlobs;
  readonly scheduler: Scheduler;
}

const AT_ONCE = 500;

/** All files of a share as one ZIP file. If the share ends meanwhile, so does the archive. */
export async function archiveShared(
  deps: ArchiveSharedDeps,
  visitor: Visitor,
  token: string,
): Promise<StreamedFile> {
  const host = await requireShareOwner(deps, token);
  const { resource } = await deps.uow.read(host.scope, (stores) =>
    requireUnlocked(deps, stores, host.shareId, visitor),
  );
  return {
    filename: `${nameOf(resource)}.zip`,
    bytes: () => deps.archives.write(entriesOf(deps, host, visitor)),
  };
}

async function* entriesOf(
  deps: ArchiveSharedDeps,
  host: ShareOwner,
  visitor: Visitor,
): AsyncIterable<NewEntry> {
  const places = new ArchivePaths();
  const lost: string[] = [];
  // The first character is the slash after the parent, which is empty.
  const place = (name: string) => places.file('', name).slice(1);
  for (const id of await shownIds(deps, host, visitor)) {
    const object = await stillShown(deps, host, visitor, id);
    if (!object) continue;
    const opened = await openBlob(deps.blobs, object.blobId, expectedOf(object));
    if (opened)
      try {
        yield {
          path: place(readableName(object)),
          modifiedAt: object.createdAt,
          compress: isCompressible(object, opened.head),
          size: object.size,
          content: opened.bytes,
        };
      } finally {
        await opened.release();
      }
    else if (await stillShown(deps, host, visitor, id)) lost.push(object.filename);
  }
  if (lost.length > 0) yield reportMissing(place('left out.txt'), lost, deps.clock.now());
}

/** One consistent state, so that no moved file is duplicated or missed. */
async function shownIds(
  deps: ArchiveSharedDeps,
  { scope, shareId }: ShareOwner,
  visitor: Visitor,
): Promise<readonly string[]> {
  return deps.uow.read(scope, async (stores) => {
    const { resource } = await requireUnlocked(deps, stores, shareId, visitor);
    if (resource.kind === 'file') return [resource.object.id];
    const shown = shownIn(resource.folder);
    const ids: string[] = [];
    let page = await stores.objects.page(shown, { limit: AT_ONCE, offset: 0 });
    for (;;) {
      ids.push(...page.items.map(({ id }) => id));
      if (!page.next) return ids;
      await deps.scheduler.yield();
      page = await stores.objects.page(shown, { limit: AT_ONCE, after: page.next });
    }
  });
}

/** Its state when its turn comes; undefined if it was moved elsewhere. A share that has ended is an error. */
async function stillShown(
  deps: ArchiveSharedDeps,
  { scope, shareId }: ShareOwner,
  visitor: Visitor,
  id: string,
): Promise<StoredObject | undefined> {
  return deps.uow.read(scope, async (stores) => {
    const { resource } = await requireUnlocked(deps, stores, shareId, visitor);
    return requireShown(stores, resource, id).catch((error: unknown) => {
      if (error instanceof DomainError) return undefined;
      throw error;
    });
  });
}

const reportMissing = (path: string, names: readonly string[], modifiedAt: Instant): NewEntry => ({
  path,
  modifiedAt,
  compress: true,
  content: `These files are missing from the storage of the service:\n\n${names.join('\n')}\n`,
});

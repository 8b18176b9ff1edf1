import type { OwnerBlobs, WrittenBlob } from '../../ports/blobs.ts';
import type { VersionOrigin, ObjectVersion } from '../../ports/contents.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { ContentType } from '../../ports/text-extraction.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { enqueueAll } from '../tasks/index.ts';
import {
  discardBlobs,
  discardBlobsOnError,
  replaceContent,
  requireStorageQuota,
  type ContentChange,
  type ContentStores,
  type IncomingContent,
} from './content.ts';
import { unsupportedType, versionConflict } from './errors.ts';
import type { ReceivedFile } from './receive.ts';
import { isText } from './capabilities.ts';
import { findEditable, findVisible, viewOf, type ObjectView } from './view.ts';

type SaveStores = ContentStores & Pick<Stores, 'collections' | 'pinLock' | 'idempotency'>;

export interface SaveDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof SaveStores>;
  readonly blobs: OwnerBlobs;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Saves the text of a note or text file as its next version. */
export async function saveText(
  deps: SaveDeps,
  caller: Caller,
  id: string,
  save: { readonly content: string; readonly baseVersion: number },
): Promise<ObjectView> {
  const acceptsText = (object: StoredObject) => {
    if (!isText(object)) throw unsupportedType();
  };
  // Checked before the bytes are written, so that a rejection costs nothing, and again in the transaction.
  await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const object = await findEditable(stores, zone, id);
    acceptsText(object);
    requireVersion(object, save.baseVersion);
  });
  const blob = await deps.blobs.write(caller.scope, save.content, {
    maxBytes: Number.MAX_SAFE_INTEGER,
  });
  return putVersion(deps, caller, id, save.baseVersion, blob, (object) => {
    acceptsText(object);
    return { blob, type: typeOf(object), origin: 'save' };
  });
}

/** A new version of any file, from received bytes. The content of a link is its URL, which cannot be replaced. */
export async function saveFile(
  deps: SaveDeps,
  caller: Caller,
  id: string,
  save: { readonly file: ReceivedFile; readonly baseVersion: number },
): Promise<ObjectView> {
  const { blob, type } = save.file;
  return putVersion(deps, caller, id, save.baseVersion, blob, (object) => {
    if (object.kind === 'link') throw unsupportedType();
    // A note remains a note, regardless of the type of its bytes.
    return { blob, type: object.kind === 'note' ? typeOf(object) : type, origin: 'upload' };
  });
}

export async function listVersions(
  deps: Pick<SaveDeps, keyof ZoneDeps | 'uow'>,
  caller: Caller,
  id: string,
  { limit, offset }: PageRequest,
): Promise<Page<ObjectVersion>> {
  return deps.uow.read(caller.scope, async (stores) => {
    await findVisible(stores, await zoneFor(deps, stores.pinLock, caller), id);
    return stores.versions.page(id, limit, offset);
  });
}

/** Restores an earlier content as a new version. Its bytes are stored already. */
export async function restoreVersion(
  deps: SaveDeps,
  caller: Caller,
  id: string,
  version: number,
): Promise<ObjectView> {
  return change(deps, caller, id, async (stores, object) => {
    const earlier = await stores.versions.find(id, version);
    if (!earlier) throw notFound();
    const { blobId, size, sha256 } = earlier;
    const origin: VersionOrigin = 'restore';
    return replaceContent(deps, stores, object, {
      blob: { blobId, size, sha256 },
      type: typeOf(earlier),
      origin,
    });
  });
}

async function putVersion(
  deps: SaveDeps,
  caller: Caller,
  id: string,
  baseVersion: number,
  blob: WrittenBlob,
  incoming: (object: StoredObject) => IncomingContent,
): Promise<ObjectView> {
  return change(
    deps,
    caller,
    id,
    async (stores, object, zone) => {
      const next = incoming(object);
      requireVersion(object, baseVersion);
      await requireStorageQuota(stores, caller, blob.size, zone);
      return replaceContent(deps, stores, object, next);
    },
    [blob.blobId],
  );
}

async function change(
  deps: SaveDeps,
  caller: Caller,
  id: string,
  work: (stores: SaveStores, object: StoredObject, zone: Zone) => Promise<ContentChange>,
  written: readonly string[] = [],
): Promise<ObjectView> {
  const unit = deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const object = await findEditable(stores, zone, id);
    const created = await work(stores, object, zone);
    const view = await viewOf(stores, created.object);
    return { made: created, view: await saveResponse(stores, deps.clock, caller, view) };
  });
  const { view, made } = await discardBlobsOnError(deps, unit, written);
  await enqueueAll(deps.jobs, made.nudges);
  // A restored version offers the stored blob, which must not be discarded.
  await discardBlobs(deps, [made.unusedBlobId]);
  return view;
}

function requireVersion(object: StoredObject, baseVersion: number): void {
  if (object.version !== baseVersion) throw versionConflict({ current_version: object.version });
}

const typeOf = ({ kind, mime, format }: ContentType): ContentType => ({ kind, mime, format });

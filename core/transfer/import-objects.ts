import type { WrittenBlob } from '../../ports/blobs.ts';
import type { Content } from '../../ports/contents.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { StoredObject } from '../../ports/objects.ts';
import {
  READ_TASK,
  discardBlobs,
  discardBlobsOnError,
  readTaskPayload,
  retainContent,
} from '../objects/index.ts';
import { indexText, indexObjectMetadata, type IndexedText } from '../search/index.ts';
import { newTask, enqueueAll, type TaskNudge } from '../tasks/index.ts';
import { resolveImportId, type ResolvedId } from './import-ids.ts';
import { recordIdMapping } from './library.ts';
import type { Target, TransferStores } from './part.ts';
import type { ArchivedObject } from './records.ts';

/** The prepared parts of an object: its bytes, stored, and its text, analysed for the index. */
interface Prepared {
  readonly blobs: ReadonlyMap<string, WrittenBlob>;
  readonly indexed: IndexedText | undefined;
}

/**
 * Bytes first, then the rows in one unit of work: a crash in between leaves bytes for the garbage collection, but no
 * partial object.
 */
export async function importObjects(
  target: Target,
  records: readonly ArchivedObject[],
): Promise<void> {
  const places = await target.read(async (stores) => {
    const found = new Map<ArchivedObject, ResolvedId<StoredObject>>();
    for (const record of records) found.set(record, await folderFor(target, stores, record));
    return found;
  });
  try {
    await importIntoFolder(target, places);
  } catch (error) {
    if (!(error instanceof ContentGone)) throw error;
    target.stored.clear();
    await importIntoFolder(target, places);
  }
}

/** A content that an earlier batch has stored was deleted since, so its bytes have to be imported again. */
class ContentGone extends Error {
  override readonly name = 'ContentGone';
}

async function importIntoFolder(
  target: Target,
  places: ReadonlyMap<ArchivedObject, ResolvedId<StoredObject>>,
): Promise<void> {
  const { deps } = target;
  const prepared = new Map<ArchivedObject, Prepared>();
  const brought = new Set<string>();
  try {
    for (const [record, { held }] of places)
      if (!held) prepared.set(record, await prepare(target, record, brought));
  } catch (error) {
    await discardBlobs(deps, blobIds(prepared));
    throw error;
  }
  const unit = target
    .write(async (stores) => {
      await requireStored(target, stores, prepared.keys(), brought);
      const used = new Set<string>();
      const nudges: TaskNudge[] = [];
      for (const [record, place] of places)
        await finalizeObject(target, stores, record, place, prepared.get(record), used, nudges);
      const shown = [...places.keys()].filter((record) => !isConcealed(target, record));
      await target.follower.advance(stores, shown.length);
      return { used, nudges };
    })
    .catch(async (error: unknown) => {
      // The unit of work was rolled back.
      if (error instanceof ContentGone) await discardBlobs(deps, blobIds(prepared));
      throw error;
    });
  const { used, nudges } = await discardBlobsOnError(deps, unit, blobIds(prepared));
  for (const key of brought) target.stored.add(key);
  await enqueueAll(deps.jobs, nudges);
  await discardBlobs(
    deps,
    blobIds(prepared).filter((blobId) => !used.has(blobId)),
  );
}

const blobIds = (prepared: ReadonlyMap<ArchivedObject, Prepared>): readonly string[] =>
  [...prepared.values()].flatMap(({ blobs }) => [...blobs.values()].map(({ blobId }) => blobId));

const isConcealed = ({ zone }: Target, record: ArchivedObject): boolean =>
  zone === 'closed' && record.isHidden;

/**
 * A content of an import. Behind a closed zone a visible record stores its bytes even if a hidden record has stored
 * them: whether the hidden record was written depends on what is hidden here, and the location of a visible file must not.
 */
const contentKey = (target: Target, record: ArchivedObject, sha256: string): string =>
  isConcealed(target, record) ? `hidden ${sha256}` : sha256;

/** Contents whose bytes this import has stored, and that no later record of the batch needs to store. */
async function requireStored(
  target: Target,
  { contents }: TransferStores,
  records: Iterable<ArchivedObject>,
  brought: ReadonlySet<string>,
): Promise<void> {
  const needed = new Set<string>();
  for (const record of records)
    for (const { sha256 } of contentsOf(record)) {
      const key = contentKey(target, record, sha256);
      if (target.stored.has(key) && !brought.has(key)) needed.add(sha256);
    }
  if ((await contents.retained([...needed])).size < needed.size) throw new ContentGone();
}

/**
 * An object counts as the same if creation time and content are equal, regardless of later changes to name and
 * folder.
 */
const isSame = (held: StoredObject, record: ArchivedObject): boolean =>
  held.contentHash === record.contentHash && held.createdAt === record.createdAt;

/**
 * While the zone is locked, a visible record is matched with visible objects only, and gets a random id if there is
 * no match. A derived id would differ if a hidden object had it already.
 */
async function folderFor(
  target: Target,
  stores: TransferStores,
  record: ArchivedObject,
): Promise<ResolvedId<StoredObject>> {
  const { deps, zone, twins } = target;
  const { objects } = stores;
  if (zone !== 'closed' || record.isHidden)
    return resolveImportId(
      deps.digests,
      record,
      record.contentHash,
      (id) => objects.find(id),
      (held) => isSame(held, record),
    );
  const own = await objects.find(record.id);
  if (own && !own.isHidden && isSame(own, record)) return { id: own.id, held: own };
  const twin = await twins.claim(stores, record);
  const held = twin === undefined ? undefined : await objects.find(twin);
  return held ? { id: held.id, held } : { id: deps.random.uuid() };
}

/**
 * Whether a record will be stored, as far as the caller may know: while the zone is locked, a hidden record always
 * counts as new.
 */
export const isNew = (target: Target, record: ArchivedObject): Promise<boolean> =>
  isConcealed(target, record)
    ? Promise.resolve(true)
    : target.read(async (stores) => !(await folderFor(target, stores, record)).held);

/** All its files in the archive. */
export const contentsOf = ({ versions, preview }: ArchivedObject) =>
  preview?.image ? [...versions, preview.image] : versions;

/** Each content is written once per import: an archive may refer to a large file in any number of records. */
async function prepare(
  target: Target,
  record: ArchivedObject,
  brought: Set<string>,
): Promise<Prepared> {
  const { deps, archive } = target;
  const blobs = new Map<string, WrittenBlob>();
  try {
    for (const { sha256, size, path } of contentsOf(record)) {
      const key = contentKey(target, record, sha256);
      if (target.stored.has(key) || brought.has(key)) continue;
      const blob = await deps.blobs.write(target.caller.scope, archive.read(path), {
        maxBytes: size,
      });
      blobs.set(sha256, blob);
      brought.add(key);
      // Its hash was verified before, so a difference means that the stored archive has changed.
      if (blob.sha256 !== sha256)
        throw new UnavailableError('storage', 'The archive changed at rest.');
    }
    const text = record.correction ?? record.text;
    const indexed = text && (await indexText(deps.scheduler, text.text, text.language));
    return { blobs, indexed: indexed ?? undefined };
  } catch (error) {
    await discardBlobs(
      deps,
      [...blobs.values()].map(({ blobId }) => blobId),
    );
    throw error;
  }
}

async function finalizeObject(
  target: Target,
  stores: TransferStores,
  record: ArchivedObject,
  planned: ResolvedId<StoredObject>,
  prepared: Prepared | undefined,
  used: Set<string>,
  nudges: TaskNudge[],
): Promise<void> {
  const { deps, moved, tallies, zone } = target;
  const isClosed = zone === 'closed';
  // Another request may have used the id since. A random id is free.
  const { id, held } =
    isClosed && !record.isHidden ? planned : await folderFor(target, stores, record);
  recordIdMapping(moved.objects, record.id, id);
  const isUnseen = isConcealed(target, record);
  if (isUnseen) {
    target.newIds++;
    target.concealed.newIds++;
    target.concealed.objects.created++;
  }
  if (held || !prepared) {
    tallies.objects[isUnseen ? 'created' : 'unchanged']++;
    return;
  }
  if (id !== record.id && !isUnseen) target.newIds++;
  const object = await keep(target, stores, record, id, prepared, used);
  tallies.objects.created++;
  if (object.status !== 'pending') return;
  const task = newTask(deps, READ_TASK, id, readTaskPayload(object.version, false));
  await stores.tasks.save(task);
  nudges.push({ kind: task.kind, taskId: task.id });
}

async function keep(
  target: Target,
  stores: TransferStores,
  record: ArchivedObject,
  id: string,
  { blobs, indexed }: Prepared,
  used: Set<string>,
): Promise<StoredObject> {
  const { path: _, versions, text, correction, enrichment, preview, ...rest } = record;
  const { moved } = target;
  const retain = async (sha256: string): Promise<Content> => {
    const written = blobs.get(sha256);
    const offered = written ?? (await stores.contents.find(sha256));
    if (!offered) throw new Error('A content was not prepared.');
    const { content, unusedBlobId } = await retainContent(
      target.deps,
      stores,
      offered,
      record.isHidden,
    );
    if (written && unusedBlobId === null) used.add(written.blobId);
    return content;
  };
  let blobId = '';
  for (const { path: __, ...version } of versions) {
    const stored = await retain(version.sha256);
    await stores.versions.add({ ...version, objectId: id, blobId: stored.blobId });
    if (version.version === record.version) blobId = stored.blobId;
  }
  const { collectionId, suggestedCollectionId } = rest;
  const folder =
    collectionId === null
      ? undefined
      : await stores.collections.find(moved.collections.get(collectionId) ?? collectionId);
  const object: StoredObject = {
    ...rest,
    id,
    blobId,
    // No task is running for it here.
    status: rest.status === 'processing' ? 'pending' : rest.status,
    collectionId: folder?.id ?? null,
    suggestedCollectionId:
      suggestedCollectionId &&
      (moved.collections.get(suggestedCollectionId) ?? suggestedCollectionId),
  };
  await stores.objects.save(object);
  // Conversations may hold content of an object that had this id and was deleted.
  await stores.chats.setObjectVisibility(id, object.isHidden);
  if (text) await stores.texts.put({ ...text, objectId: id });
  if (correction) await stores.texts.putCorrection({ ...correction, objectId: id });
  if (enrichment) await stores.enrichments.put({ ...enrichment, objectId: id });
  if (preview) {
    const image = preview.image && {
      ...(await retain(preview.image.sha256)),
      mime: preview.image.mime,
    };
    await stores.links.put({ ...preview, objectId: id, image });
  }
  await indexObjectMetadata(stores.search, object);
  if (indexed) await stores.search.put(id, indexed);
  return object;
}

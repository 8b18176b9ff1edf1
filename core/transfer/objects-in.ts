import type { WrittenBlob } from '../../ports/blobs.ts';
import type { Content } from '../../ports/contents.ts';
import { PortFailure } from '../../ports/failures.ts';
import type { StoredObject } from '../../ports/objects.ts';
import { READ_TASK, discardBlobs, orDiscard, readingOf } from '../objects/index.ts';
import { indexText, placeObject, type IndexedText } from '../search/index.ts';
import { newTask, offerAll, type TaskNudge } from '../tasks/index.ts';
import { placeOf, type Found } from './ids.ts';
import { settle } from './library.ts';
import type { Target, TransferStores } from './part.ts';
import type { ArchivedObject } from './records.ts';

/** What an object needs before its unit of work: its bytes at rest, its text made ready for the index. */
interface Prepared {
  readonly blobs: ReadonlyMap<string, WrittenBlob>;
  readonly indexed: IndexedText | undefined;
}

/** Bytes first, then the rows in one unit: dying in between leaves bytes for the sweep and no half object. */
export async function takeObjects(
  target: Target,
  records: readonly ArchivedObject[],
): Promise<void> {
  const { deps } = target;
  const fresh = await target.read(async (stores) => {
    const found: ArchivedObject[] = [];
    for (const record of records)
      if (!(await placeFor(target, stores, record)).held) found.push(record);
    return found;
  });
  const prepared = new Map<ArchivedObject, Prepared>();
  try {
    for (const record of fresh) prepared.set(record, await prepare(target, record));
  } catch (error) {
    await discardBlobs(deps, blobIds(prepared));
    throw error;
  }
  const unit = target.write(async (stores) => {
    const used = new Set<string>();
    const nudges: TaskNudge[] = [];
    for (const record of records)
      await settleObject(target, stores, record, prepared.get(record), used, nudges);
    return { used, nudges };
  });
  const { used, nudges } = await orDiscard(deps, unit, blobIds(prepared));
  await offerAll(deps.jobs, nudges);
  await discardBlobs(
    deps,
    blobIds(prepared).filter((blobId) => !used.has(blobId)),
  );
}

const blobIds = (prepared: ReadonlyMap<ArchivedObject, Prepared>): readonly string[] =>
  [...prepared.values()].flatMap(({ blobs }) => [...blobs.values()].map(({ blobId }) => blobId));

/** The same object is one of the same time and content, whatever was done to its names and places since. */
const placeFor = (
  { deps, zone }: Target,
  { objects }: TransferStores,
  record: ArchivedObject,
): Promise<Found<StoredObject>> =>
  placeOf(
    deps.digests,
    record,
    record.contentHash,
    (id) => objects.find(id),
    // What a closed zone keeps from the caller may not be told from what is not there.
    (held) =>
      held.contentHash === record.contentHash &&
      held.createdAt === record.createdAt &&
      (zone !== 'closed' || !held.isHidden || record.isHidden),
  );

/** Everything of it that lies in the archive as a file. */
export const contentsOf = ({ versions, preview }: ArchivedObject) =>
  preview?.image ? [...versions, preview.image] : versions;

async function prepare(target: Target, record: ArchivedObject): Promise<Prepared> {
  const { deps, archive } = target;
  const blobs = new Map<string, WrittenBlob>();
  try {
    for (const { sha256, size, path } of contentsOf(record)) {
      if (blobs.has(sha256)) continue;
      const blob = await deps.blobs.write(target.caller.scope, archive.read(path), {
        maxBytes: size,
      });
      blobs.set(sha256, blob);
      // It was held to its hash before; what changed since then changed in our own storage.
      if (blob.sha256 !== sha256) throw new PortFailure('storage', 'The archive changed at rest.');
    }
    const text = record.correction ?? record.text;
    const indexed = text && (await indexText(deps.breather, text.text, text.language));
    return { blobs, indexed: indexed ?? undefined };
  } catch (error) {
    await discardBlobs(
      deps,
      [...blobs.values()].map(({ blobId }) => blobId),
    );
    throw error;
  }
}

async function settleObject(
  target: Target,
  stores: TransferStores,
  record: ArchivedObject,
  prepared: Prepared | undefined,
  used: Set<string>,
  nudges: TaskNudge[],
): Promise<void> {
  const { deps, moved, tallies, zone } = target;
  const { id, held } = await placeFor(target, stores, record);
  settle(moved.objects, record.id, id);
  if (held || !prepared) {
    tallies.objects[zone === 'closed' && record.isHidden ? 'created' : 'unchanged']++;
    return;
  }
  if (id !== record.id && !(await concealed(target, stores, record.id))) target.newIds++;
  const object = await keep(target, stores, record, id, prepared, used);
  tallies.objects.created++;
  if (object.status !== 'pending') return;
  const task = newTask(deps, READ_TASK, id, readingOf(object.version, false));
  await stores.tasks.save(task);
  nudges.push({ kind: task.kind, taskId: task.id });
}

async function concealed(
  { zone }: Target,
  { objects }: TransferStores,
  id: string,
): Promise<boolean> {
  return zone === 'closed' && (await objects.find(id))?.isHidden === true;
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
    const offered = blobs.get(sha256);
    if (!offered) throw new Error('A content was not prepared.');
    const kept = await stores.contents.retain(offered);
    if (kept.blobId === offered.blobId) used.add(offered.blobId);
    return kept;
  };
  let blobId = '';
  for (const { path: __, ...version } of versions) {
    const kept = await retain(version.sha256);
    await stores.versions.add({ ...version, objectId: id, blobId: kept.blobId });
    if (version.version === record.version) blobId = kept.blobId;
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
    // Nobody is at work on it here.
    status: rest.status === 'processing' ? 'pending' : rest.status,
    collectionId: folder?.id ?? null,
    suggestedCollectionId:
      suggestedCollectionId &&
      (moved.collections.get(suggestedCollectionId) ?? suggestedCollectionId),
  };
  await stores.objects.save(object);
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
  await placeObject(stores.search, object);
  if (indexed) await stores.search.put(id, indexed);
  return object;
}

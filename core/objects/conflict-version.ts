import type { StoredObject } from '../../ports/objects.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import { newTask, type TaskNudge } from '../tasks/index.ts';
import {
  ENRICH_TASK,
  READ_TASK,
  OCR_TASK,
  type ContentChange,
  type ContentStores,
  type IncomingContent,
} from './content.ts';
import { retainContent } from './retain-content.ts';

/**
 * Adds a content to the history of an object whose current content must remain. The content becomes a version, and
 * the current content is added again above it, so that version numbers keep rising and both can be restored. The
 * metadata of the current content (text, corrections, thumbnails) is carried along.
 */
export async function addConflictVersion(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  stores: ContentStores,
  object: StoredObject,
  { blob, type, origin }: IncomingContent,
): Promise<ContentChange> {
  const now = deps.clock.now();
  const { content: stored, unusedBlobId } = await retainContent(
    deps,
    stores,
    blob,
    object.isHidden,
  );
  const common = { objectId: object.id, createdAt: now };
  const { kind, mime, format, size, contentHash: sha256 } = object;
  await stores.versions.add({
    ...common,
    version: object.version + 1,
    kind: type.kind,
    mime: type.mime,
    format: type.format,
    size: blob.size,
    sha256: blob.sha256,
    blobId: stored.blobId,
    origin,
  });
  const current = await stores.contents.retain({ sha256, size, blobId: object.blobId });
  const { blobId } = current;
  const version = object.version + 2;
  const above = { kind, mime, format, size, sha256, blobId, origin: 'restore' as const };
  await stores.versions.add({ ...common, ...above, version });
  const changed: StoredObject = { ...object, version, updatedAt: now };
  await stores.objects.save(changed);
  const nudges = await carryAlong(deps, stores, object, version);
  return { object: changed, nudges, unusedBlobId };
}

/** Results for the current content, and tasks on it, get its new version number. */
async function carryAlong(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  stores: ContentStores,
  { id, version: from }: StoredObject,
  version: number,
): Promise<readonly TaskNudge[]> {
  const { text } = await stores.texts.find(id);
  if (text?.version === from) await stores.texts.put({ ...text, version });
  const enrichment = await stores.enrichments.find(id);
  if (enrichment?.version === from) await stores.enrichments.put({ ...enrichment, version });
  await stores.officeSessions.carry(id, from, version);
  const nudges: TaskNudge[] = [];
  for (const kind of [READ_TASK, OCR_TASK, ENRICH_TASK])
    for (const task of await stores.tasks.findFor(id, kind)) {
      if (task.state === 'failed' || task.payload['version'] !== from) continue;
      const payload = { ...task.payload, version };
      const { charge: _paid, ...unpaid } = payload as typeof payload & {
        readonly charge?: unknown;
      };
      // A running task has the old number, ends without effect, and refunds its charge.
      const next =
        task.state === 'waiting' ? { ...task, payload } : newTask(deps, kind, id, unpaid);
      await stores.tasks.save(next);
      nudges.push({ kind, taskId: next.id });
    }
  return nudges;
}

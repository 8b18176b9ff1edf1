import type { BlobStore } from '../../ports/blobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Extraction, TextExtractor } from '../../ports/text-extraction.ts';
import type { Breather, Clock } from '../../ports/time-and-ids.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { indexText, placeObject, type IndexedText } from '../search/index.ts';
import type { TaskHandler } from '../tasks/index.ts';

export interface ReadDeps {
  readonly uow: UnitOfWork<'objects' | 'texts' | 'search' | 'tasks'>;
  readonly blobs: BlobStore;
  readonly extractor: TextExtractor;
  readonly breather: Breather;
  readonly clock: Clock;
}

/** Reads the text out of an object's current content and makes it findable. */
export const readObject = (deps: ReadDeps): TaskHandler => ({
  run: async (scope, task) => {
    const object = await begin(deps, scope, task);
    if (!object) return;
    const extraction = await deps.extractor.extract({
      filename: object.filename,
      type: { kind: object.kind, mime: object.mime, format: object.format },
      size: object.size,
      open: () => deps.blobs.read(object.blobId),
    });
    const indexed =
      extraction.outcome === 'text'
        ? await indexText(deps.breather, extraction.text, extraction.language)
        : undefined;
    await finish(deps, scope, task, extraction, indexed);
  },
  giveUp: async (scope, task, reason) => {
    await deps.uow.write(scope, async ({ objects }) => {
      const object = await current(objects, task);
      if (object) await objects.save(failed(object, reading(reason), deps.clock.now()));
    });
  },
});

/** The object to read. A newer content has its own task: then this one is over. */
async function begin(
  deps: ReadDeps,
  scope: OwnerScope,
  task: Task,
): Promise<StoredObject | undefined> {
  return deps.uow.write(scope, async ({ objects, tasks }) => {
    const object = await current(objects, task);
    if (object) await objects.save({ ...object, status: 'processing' });
    else await tasks.remove(task.id);
    return object;
  });
}

/** Text, index, state and the end of the task in one transaction: delivered twice, it has one effect. */
async function finish(
  deps: ReadDeps,
  scope: OwnerScope,
  task: Task,
  extraction: Extraction,
  indexed: IndexedText | undefined,
): Promise<void> {
  await deps.uow.write(scope, async (stores) => {
    const { objects, texts, search, tasks } = stores;
    const object = (await tasks.find(task.id)) && (await current(objects, task));
    await tasks.remove(task.id);
    if (!object) return;
    const now = deps.clock.now();
    const read = afterReading(object, extraction, now);
    await objects.save(read);
    await placeObject(search, read);
    if (extraction.outcome !== 'text' || !indexed) {
      // A text of an earlier content would answer for bytes that are no longer there.
      await texts.remove(object.id);
      await search.put(object.id, []);
      return;
    }
    const { source, language, text, pages } = extraction;
    await texts.put({
      objectId: object.id,
      version: object.version,
      source,
      language,
      text,
      pages,
    });
    // A correction that was saved while this ran stands, and stays what is searched.
    if (!object.hasCorrections) await search.put(object.id, indexed);
  });
}

async function current(objects: Stores['objects'], task: Task): Promise<StoredObject | undefined> {
  const object = await objects.find(task.subject);
  return object && object.version === task.payload['version'] ? object : undefined;
}

function afterReading(object: StoredObject, extraction: Extraction, now: number): StoredObject {
  const base = { ...object, updatedAt: now };
  switch (extraction.outcome) {
    case 'text':
      return {
        ...base,
        status: 'ready',
        error: null,
        textState: 'available',
        needsManual: false,
        title: object.title || extraction.title,
      };
    case 'none':
      return {
        ...base,
        status: 'ready',
        error: extraction.expected ? extraction.reason : null,
        textState: object.hasCorrections ? 'available' : 'absent',
        needsManual: extraction.expected && !object.hasCorrections,
      };
    case 'failed':
      return failed(object, extraction.reason, now);
  }
}

const failed = (object: StoredObject, reason: string, now: number): StoredObject => ({
  ...object,
  status: 'failed',
  error: reason,
  textState: object.hasCorrections ? 'available' : 'absent',
  needsManual: false,
  updatedAt: now,
});

const reading = (reason: string): string => `The text could not be read: ${reason}`;

import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Extraction } from '../../ports/text-extraction.ts';
import type { Clock, Instant } from '../../ports/time-and-ids.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { placeObject, type IndexedText } from '../search/index.ts';

export type ReadStores = Pick<Stores, 'objects' | 'texts' | 'search' | 'tasks'>;

export interface ReadingDeps {
  readonly uow: UnitOfWork<keyof ReadStores>;
  readonly clock: Clock;
}

/** The object whose content a task is to read. A newer content has its own task: then this one is over. */
export async function beginReading(
  deps: ReadingDeps,
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

/**
 * Text, index, state and the end of the task in one transaction: delivered twice, it has one effect. What `next` makes
 * of the object is saved, so that further work can be asked for in the same breath.
 */
export async function finishReading(
  deps: ReadingDeps,
  scope: OwnerScope,
  task: Task,
  extraction: Extraction,
  indexed: IndexedText | undefined,
  next: (read: StoredObject, stores: ReadStores) => Promise<StoredObject> = (read) =>
    Promise.resolve(read),
): Promise<void> {
  await deps.uow.write(scope, async (stores) => {
    const { objects, texts, search, tasks } = stores;
    const object = (await tasks.find(task.id)) && (await current(objects, task));
    await tasks.remove(task.id);
    if (!object) return;
    const read = await next(afterReading(object, extraction, deps.clock.now()), stores);
    await objects.save(read);
    await placeObject(search, read);
    if (extraction.outcome !== 'text' || !indexed) {
      // A text of an earlier content would answer for bytes that are no longer there.
      await texts.remove(object.id);
      await search.put(object.id, []);
      return;
    }
    const { source, language, text, pages } = extraction;
    const { id: objectId, version } = object;
    await texts.put({ objectId, version, source, language, text, pages });
    // A correction that was saved while this ran stands, and stays what is searched.
    if (!object.hasCorrections) await search.put(object.id, indexed);
  });
}

/** Says on the object that nothing more is to be expected; a text that was read of this content stays. */
export async function giveUpReading(
  deps: ReadingDeps,
  scope: OwnerScope,
  task: Task,
  reason: string,
): Promise<void> {
  await deps.uow.write(scope, async ({ objects, texts }) => {
    const object = await current(objects, task);
    if (!object) return;
    const now = deps.clock.now();
    const { text } = await texts.find(object.id);
    const told = `The text could not be read: ${reason}`;
    await objects.save(
      text?.version === object.version
        ? { ...object, status: 'ready', error: told, updatedAt: now }
        : failed(object, told, now),
    );
  });
}

async function current(objects: Stores['objects'], task: Task): Promise<StoredObject | undefined> {
  const object = await objects.find(task.subject);
  return object && object.version === task.payload['version'] ? object : undefined;
}

function afterReading(object: StoredObject, extraction: Extraction, now: Instant): StoredObject {
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

const failed = (object: StoredObject, reason: string, now: Instant): StoredObject => ({
  ...object,
  status: 'failed',
  error: reason,
  textState: object.hasCorrections ? 'available' : 'absent',
  needsManual: false,
  updatedAt: now,
});

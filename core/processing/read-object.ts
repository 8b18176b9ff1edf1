import type { StoredObject } from '../../ports/objects.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Extraction } from '../../ports/text-extraction.ts';
import type { Breather, Clock, Entropy } from '../../ports/time-and-ids.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { discardBlobs } from '../objects/index.ts';
import { indexText, placeObject, type IndexedText } from '../search/index.ts';
import { isLastAttempt, offerAll, type TaskHandler } from '../tasks/index.ts';
import { readLink, type LinkReading, type ReadLinkDeps } from './read-link.ts';
import { putPreview } from './preview.ts';

type ReadStores = Pick<Stores, 'objects' | 'texts' | 'search' | 'links' | 'contents' | 'tasks'>;

export interface ReadDeps extends ReadLinkDeps {
  readonly uow: UnitOfWork<keyof ReadStores>;
  readonly jobs: JobQueue;
  readonly breather: Breather;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** Reads the text out of an object's current content, or of a link's page, and makes it findable. */
export const readObject = (deps: ReadDeps): TaskHandler => ({
  run: async (scope, task) => {
    const object = await begin(deps, scope, task);
    if (!object) return;
    const reading: LinkReading =
      object.kind === 'link'
        ? await readLink(deps, object, isLastAttempt(task))
        : { extraction: await readFile(deps, object) };
    const { extraction } = reading;
    const indexed =
      extraction.outcome === 'text'
        ? await indexText(deps.breather, extraction.text, extraction.language)
        : undefined;
    await finish(deps, scope, task, reading, indexed);
  },
  giveUp: async (scope, task, reason) => {
    await deps.uow.write(scope, async (stores) => {
      const object = await current(stores.objects, task);
      const extraction = { outcome: 'failed', reason: unread(reason) } as const;
      if (object) await settle(deps, stores, object, extraction, undefined);
    });
  },
});

const readFile = (deps: ReadDeps, object: StoredObject): Promise<Extraction> =>
  deps.extractor.extract({
    filename: object.filename,
    type: { kind: object.kind, mime: object.mime, format: object.format },
    size: object.size,
    open: () => deps.blobs.read(object.blobId),
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

/** Text, index, preview, state and the end of the task in one transaction: delivered twice, it has one effect. */
async function finish(
  deps: ReadDeps,
  scope: OwnerScope,
  task: Task,
  { extraction, found }: LinkReading,
  indexed: IndexedText | undefined,
): Promise<void> {
  const picture = found?.picture?.blob.blobId ?? null;
  const { nudges, spare } = await deps.uow.write(scope, async (stores) => {
    const object = (await stores.tasks.find(task.id)) && (await current(stores.objects, task));
    await stores.tasks.remove(task.id);
    if (!object) return { nudges: [], spare: picture };
    const told = found ? await putPreview(deps, stores, object, found) : { object, nudges: [] };
    await settle(deps, stores, told.object, extraction, indexed);
    return { nudges: told.nudges, spare: told.kept === picture ? null : picture };
  });
  await offerAll(deps.jobs, nudges);
  await discardBlobs(deps, [spare]);
}

/** What is known of the object from here on. */
async function settle(
  deps: ReadDeps,
  stores: ReadStores,
  object: StoredObject,
  extraction: Extraction,
  indexed: IndexedText | undefined,
): Promise<void> {
  const { text, correction } = await stores.texts.find(object.id);
  // What was read of this very content stays true when reading it anew fails.
  const keeps = extraction.outcome === 'failed' && text?.version === object.version;
  const read = afterReading(object, extraction, keeps, deps.clock.now());
  await stores.objects.save(read);
  await placeObject(stores.search, read);
  if (keeps) return;
  if (extraction.outcome === 'text' && indexed) {
    const { source, language, pages } = extraction;
    const { id: objectId, version } = object;
    await stores.texts.put({ objectId, version, source, language, text: extraction.text, pages });
  } else {
    // A text of an earlier content would answer for bytes that are no longer there.
    await stores.texts.remove(object.id);
    if (correction) await stores.texts.putCorrection(correction);
  }
  // A correction stands whatever was read, and stays what is searched.
  if (!object.hasCorrections) await stores.search.put(object.id, indexed ?? []);
}

async function current(objects: Stores['objects'], task: Task): Promise<StoredObject | undefined> {
  const object = await objects.find(task.subject);
  return object && object.version === task.payload['version'] ? object : undefined;
}

function afterReading(
  object: StoredObject,
  extraction: Extraction,
  keeps: boolean,
  now: number,
): StoredObject {
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
      return {
        ...base,
        status: 'failed',
        error: extraction.reason,
        textState: keeps || object.hasCorrections ? 'available' : 'absent',
        needsManual: false,
      };
  }
}

const unread = (reason: string): string => `The text could not be read: ${reason}`;

import type { BlobStore } from '../../ports/blobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Extraction, TextExtractor } from '../../ports/text-extraction.ts';
import type { Breather, Clock } from '../../ports/time-and-ids.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Findings } from '../enrichment/index.ts';
import { indexText, placeObject, type IndexedText } from '../search/index.ts';
import type { TaskHandler } from '../tasks/index.ts';
import { findingsOf, forgetFindings, keepFindings } from './enrichment.ts';

type ReadStores = Pick<
  Stores,
  'objects' | 'texts' | 'search' | 'tasks' | 'enrichments' | 'settings'
>;

export interface ReadDeps {
  readonly uow: UnitOfWork<keyof ReadStores>;
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
    await finish(deps, scope, task, {
      extraction,
      indexed,
      ofText: await findingsIn(deps, object, extraction),
      ofCorrection: await findingsInCorrection(deps, scope, object),
    });
  },
  giveUp: async (scope, task, reason) => {
    await deps.uow.write(scope, async (stores) => {
      const object = await current(stores.objects, task);
      if (!object) return;
      await withoutRead(stores, object);
      const given = failed(object, reading(reason), deps.clock.now());
      await settle(stores, given.hasCorrections ? given : await forgetFindings(stores, given));
    });
  },
});

/** What came of reading a content, ready to be kept. */
interface Outcome {
  readonly extraction: Extraction;
  readonly indexed: IndexedText | undefined;
  /** Nothing of a file that could not be read. */
  readonly ofText: Findings | undefined;
  readonly ofCorrection: { readonly savedAt: number; readonly findings: Findings } | undefined;
}

async function findingsIn(
  deps: ReadDeps,
  object: StoredObject,
  extraction: Extraction,
): Promise<Findings | undefined> {
  if (extraction.outcome === 'failed') return undefined;
  if (extraction.outcome === 'none') return findingsOf(deps, object, undefined);
  const { text, language, title, pages } = extraction;
  return findingsOf(deps, object, { text, language, title, pages: pages.length });
}

/** The owner's own text tells of the object before the one that was read. */
async function findingsInCorrection(
  deps: ReadDeps,
  scope: OwnerScope,
  object: StoredObject,
): Promise<Outcome['ofCorrection']> {
  if (!object.hasCorrections) return undefined;
  const { correction } = await deps.uow.read(scope, ({ texts }) => texts.find(object.id));
  if (!correction) return undefined;
  const { text, language, savedAt } = correction;
  return {
    savedAt,
    findings: await findingsOf(deps, object, { text, language, title: '', pages: 1 }),
  };
}

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
  outcome: Outcome,
): Promise<void> {
  await deps.uow.write(scope, async (stores) => {
    const { objects, texts, search, tasks } = stores;
    const object = (await tasks.find(task.id)) && (await current(objects, task));
    await tasks.remove(task.id);
    if (!object) return;
    const { extraction, indexed } = outcome;
    if (extraction.outcome === 'text' && indexed) {
      const { source, language, text, pages } = extraction;
      const { id: objectId, version } = object;
      await texts.put({ objectId, version, source, language, text, pages });
      // A correction that was saved while this ran stands, and stays what is searched.
      if (!object.hasCorrections) await search.put(object.id, indexed);
    } else await withoutRead(stores, object);
    const read = afterReading(object, extraction, deps.clock.now());
    await settle(stores, await withFindings(stores, read, outcome));
  });
}

/** The findings of the text that stands for the object now. */
async function withFindings(
  stores: ReadStores,
  object: StoredObject,
  { ofText, ofCorrection }: Outcome,
): Promise<StoredObject> {
  if (object.hasCorrections) {
    const { correction } = await stores.texts.find(object.id);
    // One that was saved in the meantime has brought its own.
    if (!ofCorrection || correction?.savedAt !== ofCorrection.savedAt) return object;
    return keepFindings(stores, object, ofCorrection.findings);
  }
  return ofText ? keepFindings(stores, object, ofText) : forgetFindings(stores, object);
}

/** A text of an earlier content would answer for bytes that are no longer there. What its owner wrote stays. */
async function withoutRead(
  stores: ReadStores,
  { id, hasCorrections }: StoredObject,
): Promise<void> {
  const { correction } = hasCorrections ? await stores.texts.find(id) : {};
  await stores.texts.remove(id);
  if (correction) await stores.texts.putCorrection(correction);
  else await stores.search.put(id, []);
}

async function settle({ objects, search }: ReadStores, object: StoredObject): Promise<void> {
  await objects.save(object);
  await placeObject(search, object);
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

import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Extraction } from '../../ports/text-extraction.ts';
import type { TextCorrection } from '../../ports/texts.ts';
import type { Breather, Clock, Entropy } from '../../ports/time-and-ids.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Findings } from '../enrichment/index.ts';
import { discardBlobs } from '../objects/index.ts';
import { suggestFolder, wantsFolder, type SuggestDeps } from '../organize/index.ts';
import { indexText, placeObject, type IndexedText } from '../search/index.ts';
import { isLastAttempt, offerAll, type TaskHandler } from '../tasks/index.ts';
import { findingsOf, forgetFindings, keepFindings } from './enrichment.ts';
import { putPreview, toldByPage } from './preview.ts';
import { readLink, type LinkReading, type ReadLinkDeps } from './read-link.ts';

type ReadStores = Pick<
  Stores,
  | 'objects'
  | 'texts'
  | 'search'
  | 'links'
  | 'contents'
  | 'tasks'
  | 'enrichments'
  | 'settings'
  | 'collections'
>;

export interface ReadDeps extends ReadLinkDeps {
  readonly uow: UnitOfWork<keyof ReadStores> & SuggestDeps['uow'];
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
    const ofText = await findingsIn(deps, object, reading);
    const ofCorrection = await findingsInCorrection(deps, scope, object);
    const findings = ofCorrection?.findings ?? ofText;
    await finish(deps, scope, task, {
      ...reading,
      indexed:
        extraction.outcome === 'text'
          ? await indexText(deps.breather, extraction.text, extraction.language)
          : undefined,
      ofText,
      ofCorrection,
      folder: findings ? await suggestFolder(deps, scope, object, findings) : null,
    });
  },
  giveUp: async (scope, task, reason) => {
    await deps.uow.write(scope, async (stores) => {
      const object = await current(stores.objects, task);
      if (object) await settle(deps, stores, object, unread(reason));
    });
  },
});

/** What came of reading a content, ready to be kept. */
interface Outcome extends LinkReading {
  readonly indexed: IndexedText | undefined;
  /** Nothing of a file that could not be read. */
  readonly ofText: Findings | undefined;
  readonly ofCorrection: { readonly savedAt: number; readonly findings: Findings } | undefined;
  /** The folder it most likely belongs in. */
  readonly folder: string | null;
}

const unread = (reason: string): Outcome => ({
  extraction: { outcome: 'failed', reason: `The text could not be read: ${reason}` },
  indexed: undefined,
  ofText: undefined,
  ofCorrection: undefined,
  folder: null,
});

const readFile = (deps: ReadDeps, object: StoredObject): Promise<Extraction> =>
  deps.extractor.extract({
    filename: object.filename,
    type: { kind: object.kind, mime: object.mime, format: object.format },
    size: object.size,
    open: () => deps.blobs.read(object.blobId),
  });

async function findingsIn(
  deps: ReadDeps,
  object: StoredObject,
  { extraction, found }: LinkReading,
): Promise<Findings | undefined> {
  if (extraction.outcome === 'failed') return undefined;
  const findings =
    extraction.outcome === 'none'
      ? await findingsOf(deps, object, undefined)
      : await findingsOf(deps, object, { ...extraction, pages: extraction.pages.length });
  return found ? toldByPage(findings, found.facts) : findings;
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

/** Everything that came of it and the end of the task in one transaction: delivered twice, it has one effect. */
async function finish(
  deps: ReadDeps,
  scope: OwnerScope,
  task: Task,
  outcome: Outcome,
): Promise<void> {
  const { found } = outcome;
  const picture = found?.picture?.blob.blobId ?? null;
  const { nudges, spare } = await deps.uow.write(scope, async (stores) => {
    const object = (await stores.tasks.find(task.id)) && (await current(stores.objects, task));
    await stores.tasks.remove(task.id);
    if (!object) return { nudges: [], spare: picture };
    const told = found ? await putPreview(deps, stores, object, found) : { object, nudges: [] };
    await settle(deps, stores, told.object, outcome);
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
  outcome: Outcome,
): Promise<void> {
  const { extraction, indexed } = outcome;
  const { text, correction } = await stores.texts.find(object.id);
  // What was read of this very content stays true when reading it anew fails.
  const keeps = extraction.outcome === 'failed' && text?.version === object.version;
  const read = afterReading(object, extraction, keeps, deps.clock.now());
  const told = keeps ? read : await withFindings(stores, read, outcome, correction);
  await stores.objects.save(told);
  await placeObject(stores.search, told);
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

/** The findings of the text that stands for the object now. */
async function withFindings(
  stores: ReadStores,
  object: StoredObject,
  { ofText, ofCorrection, folder }: Outcome,
  correction: TextCorrection | undefined,
): Promise<StoredObject> {
  if (object.hasCorrections) {
    // One that was saved in the meantime has brought its own.
    if (!ofCorrection || correction?.savedAt !== ofCorrection.savedAt) return object;
    const told = await keepFindings(stores, object, ofCorrection.findings);
    return withFolder(stores, told, folder);
  }
  if (!ofText) return forgetFindings(stores, object);
  return withFolder(stores, await keepFindings(stores, object, ofText), folder);
}

/** The folder may be gone since it was chosen. */
async function withFolder(
  { collections }: Pick<Stores, 'collections'>,
  object: StoredObject,
  folder: string | null,
): Promise<StoredObject> {
  if (!wantsFolder(object)) return object;
  const there = folder !== null && (await collections.find(folder)) !== undefined;
  return { ...object, suggestedCollectionId: there ? folder : null };
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

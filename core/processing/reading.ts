import type { OwnerBlobs } from '../../ports/blobs.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Extraction } from '../../ports/text-extraction.ts';
import type { TextCorrection } from '../../ports/texts.ts';
import type { Scheduler, Instant } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Findings } from '../enrichment/index.ts';
import { OCR_TASK, discardBlobs, shouldNotifyOwner, keepsName } from '../objects/index.ts';
import { suggestFolder, needsFolderSuggestion, type SuggestDeps } from '../organize/index.ts';
import { indexText, indexObjectMetadata, sizeOf, type IndexedText } from '../search/index.ts';
import { enqueueAll, type TaskNudge } from '../tasks/index.ts';
import { findingsOf, forgetFindings, isUnnamed, saveFindings } from './enrichment.ts';
import {
  needsModelEnrichment,
  scheduleModelEnrichment,
  namingOf,
  type ModelEnrichmentPayload,
  type ModelEnrichmentDeps,
} from './model-enrichment-task.ts';
import { putPreview, fromPageMetadata } from './preview.ts';
import type { LinkContent } from './read-link.ts';
import { notifyReadEnd } from './notify-owner.ts';

export type ReadStores = Pick<
  Stores,
  | 'objects'
  | 'texts'
  | 'search'
  | 'links'
  | 'contents'
  | 'blobLocations'
  | 'tasks'
  | 'enrichments'
  | 'settings'
  | 'collections'
  | 'notifications'
  | 'integrations'
>;

export interface ReadTaskDeps extends ModelEnrichmentDeps {
  readonly uow: UnitOfWork<keyof ReadStores> & SuggestDeps['uow'];
  readonly blobs: Pick<OwnerBlobs, 'discard'>;
  readonly jobs: JobQueue;
  readonly scheduler: Scheduler;
}

/** The object whose content a task is to read. A newer content has its own task, so this one ends. */
export async function beginRead(
  deps: ReadTaskDeps,
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

/** An object in the state to be saved, and the follow-up tasks to schedule with it. */
interface Next {
  readonly object: StoredObject;
  readonly nudges: readonly TaskNudge[];
}

/** The next step after reading. `naming` is passed on to a later task. */
type Follow = (
  read: StoredObject,
  stores: ReadStores,
  naming: Pick<ModelEnrichmentPayload, 'namedBefore'>,
) => Promise<Next>;

const nothingMore: Follow = (object) => Promise.resolve({ object, nudges: [] });

/**
 * Stores all results and ends the task in one transaction, so that repeated delivery has one effect. The object
 * returned by `next` is saved.
 */
export async function completeRead(
  deps: ReadTaskDeps,
  scope: OwnerScope,
  task: Task,
  started: StoredObject,
  reading: LinkContent,
  next: Follow = nothingMore,
): Promise<void> {
  const outcome = await outcomeOf(deps, scope, started, reading);
  const { found } = reading;
  const picture = found?.picture?.blob.blobId ?? null;
  const { nudges, spare: unusedBlobId } = await deps.uow.write(
    scope,
    async (stores) => {
      const object = (await stores.tasks.find(task.id)) && (await current(stores.objects, task));
      await stores.tasks.remove(task.id);
      if (!object) return { nudges: [], spare: picture };
      const updated = found
        ? await putPreview(deps, stores, object, found)
        : { object, nudges: [], unusedBlobId: null };
      const more = await settle(deps, stores, task, updated.object, outcome, next);
      return { nudges: [...updated.nudges, ...more], spare: updated.unusedBlobId };
    },
    sizeOf(outcome.indexed),
  );
  await enqueueAll(deps.jobs, nudges);
  await discardBlobs(deps, [unusedBlobId]);
}

/**
 * Marks the object as failed; text already extracted from this content remains. The task ends in the same
 * transaction, so that the owner is notified once, and a worker that lost its claim reports nothing.
 */
export async function failRead(
  deps: ReadTaskDeps,
  scope: OwnerScope,
  task: Task,
  reason: string,
): Promise<void> {
  const extraction = {
    outcome: 'failed',
    reason: `The text could not be read: ${reason}`,
  } as const;
  const nothing = { indexed: undefined, ofText: undefined, ofCorrection: undefined, folder: null };
  const outcome = { extraction, ...nothing };
  const nudges = await deps.uow.write(scope, async (stores) => {
    const claim = await stores.tasks.find(task.id);
    if (claim?.attempts !== task.attempts || claim.state === 'failed') return [];
    const object = await current(stores.objects, task);
    await stores.tasks.save({ ...claim, state: 'failed', leaseUntil: null, error: reason });
    return object ? settle(deps, stores, task, object, outcome, nothingMore) : [];
  });
  await enqueueAll(deps.jobs, nudges);
}

/** The result of reading a content, ready to be stored. */
interface Outcome {
  readonly extraction: Extraction;
  readonly indexed: IndexedText | undefined;
  /** Empty for a file that could not be read. */
  readonly ofText: Findings | undefined;
  readonly ofCorrection: { readonly savedAt: number; readonly findings: Findings } | undefined;
  /** The suggested folder. */
  readonly folder: string | null;
}

/** All slow computations, before the unit of work. */
async function outcomeOf(
  deps: ReadTaskDeps,
  scope: OwnerScope,
  object: StoredObject,
  reading: LinkContent,
): Promise<Outcome> {
  const { extraction } = reading;
  const ofText = await findingsIn(deps, object, reading);
  const ofCorrection = await findingsInCorrection(deps, scope, object);
  const findings = ofCorrection?.findings ?? ofText;
  return {
    extraction,
    indexed:
      extraction.outcome === 'text'
        ? await indexText(deps.scheduler, extraction.text, extraction.language)
        : undefined,
    ofText,
    ofCorrection,
    folder: findings ? await suggestFolder(deps, scope, object, findings) : null,
  };
}

async function findingsIn(
  deps: ReadTaskDeps,
  object: StoredObject,
  { extraction, found }: LinkContent,
): Promise<Findings | undefined> {
  if (extraction.outcome === 'failed') return undefined;
  const findings =
    extraction.outcome === 'none'
      ? await findingsOf(deps, object, undefined)
      : await findingsOf(deps, object, { ...extraction, pages: extraction.pages.length });
  return found ? fromPageMetadata(findings, found.facts) : findings;
}

/** The owner's corrected text takes precedence over the extracted one. */
async function findingsInCorrection(
  deps: ReadTaskDeps,
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

/** The current state of the object's metadata. */
async function settle(
  deps: ReadTaskDeps,
  stores: ReadStores,
  task: Task,
  object: StoredObject,
  outcome: Outcome,
  next: Follow,
): Promise<readonly TaskNudge[]> {
  const { extraction, indexed } = outcome;
  const { text, correction } = await stores.texts.find(object.id);
  // Earlier results for the same content remain valid if reading it again, or OCR, fails.
  const keepsFilename = extraction.outcome === 'failed' && text?.version === object.version;
  const status = keepsFilename && task.kind === OCR_TASK ? 'ready' : 'failed';
  const now = deps.clock.now();
  const read =
    extraction.outcome === 'failed'
      ? failed(object, { reason: extraction.reason, status, keepsFilename, now })
      : afterReading(object, extraction, now);
  const awaits = await needsModelEnrichment(deps, stores, read);
  const unnamed = !keepsName(task) &&
    (await isUnnamed(stores, object)) && { namedBefore: object.aiName };
  const naming = { ...unnamed, ...namingOf(task) };
  const names = !awaits && naming.namedBefore !== undefined;
  const found = keepsFilename ? read : await withFindings(stores, read, outcome, correction, names);
  const after = await next(found, stores, awaits ? naming : {});
  const nudges = [...after.nudges];
  let updated = after.object;
  // Searchable from here on; only model enrichment is pending.
  if (awaits && updated.status === 'ready') {
    const notifiesOwner = shouldNotifyOwner(task) && { notifiesOwner: true };
    const payload = {
      correctedAt: correction?.savedAt ?? null,
      finishesProcessing: true,
      ...notifiesOwner,
    };
    nudges.push(
      ...(await scheduleModelEnrichment(deps, stores, updated, { ...payload, ...naming })),
    );
    updated = { ...updated, status: 'processing' };
  }
  await stores.objects.save(updated);
  await indexObjectMetadata(stores.search, updated);
  await notifyReadEnd(deps, stores, task, updated);
  if (keepsFilename) return nudges;
  if (extraction.outcome === 'text' && indexed) {
    const { source, language, pages } = extraction;
    const { id: objectId, version } = object;
    await stores.texts.put({ objectId, version, source, language, text: extraction.text, pages });
  } else {
    // The text of an earlier content would match bytes that no longer exist.
    await stores.texts.remove(object.id);
    if (correction) await stores.texts.putCorrection(correction);
  }
  // A correction remains in effect and searchable, regardless of the extracted values.
  if (!object.hasCorrections) await stores.search.put(object.id, indexed ?? []);
  return nudges;
}

/** Findings of the text now in effect. */
async function withFindings(
  stores: ReadStores,
  object: StoredObject,
  { ofText, ofCorrection, folder }: Outcome,
  correction: TextCorrection | undefined,
  names: boolean,
): Promise<StoredObject> {
  if (object.hasCorrections) {
    // A correction saved meanwhile has its own findings.
    if (!ofCorrection || correction?.savedAt !== ofCorrection.savedAt) return object;
    const updated = await saveFindings(stores, object, ofCorrection.findings, { names });
    return withFolder(stores, updated, folder);
  }
  if (!ofText) return forgetFindings(stores, object);
  return withFolder(stores, await saveFindings(stores, object, ofText, { names }), folder);
}

/** The folder may have been deleted since it was chosen. */
async function withFolder(
  { collections }: Pick<Stores, 'collections'>,
  object: StoredObject,
  folder: string | null,
): Promise<StoredObject> {
  if (!needsFolderSuggestion(object)) return object;
  const there = folder !== null && (await collections.find(folder)) !== undefined;
  return { ...object, suggestedCollectionId: there ? folder : null };
}

async function current(objects: Stores['objects'], task: Task): Promise<StoredObject | undefined> {
  const object = await objects.find(task.subject);
  return object && object.version === task.payload['version'] ? object : undefined;
}

function afterReading(
  object: StoredObject,
  extraction: Exclude<Extraction, { outcome: 'failed' }>,
  now: Instant,
): StoredObject {
  const base = { ...object, status: 'ready', updatedAt: now } as const;
  return extraction.outcome === 'text'
    ? { ...base, error: null, textState: 'available', needsManual: false }
    : {
        ...base,
        error: extraction.expected ? extraction.reason : null,
        textState: object.hasCorrections ? 'available' : 'absent',
        needsManual: extraction.expected && !object.hasCorrections,
      };
}

const failed = (
  object: StoredObject,
  {
    reason,
    status,
    keepsFilename,
    now,
  }: {
    readonly reason: string;
    readonly status: 'ready' | 'failed';
    readonly keepsFilename: boolean;
    readonly now: Instant;
  },
): StoredObject => ({
  ...object,
  status,
  error: reason,
  textState: keepsFilename || object.hasCorrections ? 'available' : 'absent',
  needsManual: false,
  updatedAt: now,
});

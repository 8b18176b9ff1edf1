import { UnavailableError } from '../../ports/errors.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { TextExtractor } from '../../ports/text-extraction.ts';
import type { ObjectText, TextCorrection } from '../../ports/texts.ts';
import type { Scheduler, Instant } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import {
  findEditable,
  findVisible,
  requireStorageQuota,
  versionConflict,
} from '../objects/index.ts';
import type { Findings } from '../enrichment/index.ts';
import { indexText, indexObjectMetadata, sizeOf } from '../search/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { utf8Length } from '../shared/byte-length.ts';
import { enqueueAll, type TaskNudge } from '../tasks/index.ts';
import { codePointLength } from '../text/index.ts';
import { findingsOf, forgetFindings, isUnnamed, saveFindings } from './enrichment.ts';
import {
  needsModelEnrichment,
  scheduleModelEnrichment,
  type ModelEnrichmentDeps,
} from './model-enrichment-task.ts';

export interface TextDeps extends ZoneDeps, ModelEnrichmentDeps {
  readonly uow: UnitOfWork<
    | 'objects'
    | 'texts'
    | 'contents'
    | 'search'
    | 'pinLock'
    | 'enrichments'
    | 'settings'
    | 'integrations'
    | 'tasks'
  >;
  readonly jobs: JobQueue;
  readonly extractor: Pick<TextExtractor, 'languageOf'>;
  readonly scheduler: Scheduler;
}

/** The text in effect for an object. All offsets count its code points. */
export interface CurrentText extends Omit<ObjectText, 'source'> {
  readonly source: ObjectText['source'] | 'corrected';
}

export async function getText(deps: TextDeps, caller: Caller, id: string): Promise<CurrentText> {
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const object = await findVisible(stores, zone, id);
    const { text, correction } = await stores.texts.find(id);
    const current = correction ? corrected(object.version, correction) : text;
    if (!current) throw notFound();
    return current;
  });
}

/**
 * Replaces the extracted text by the owner's. The content and its version are unchanged. The correction counts in the
 * storage quota.
 */
export async function correctText(
  deps: TextDeps,
  caller: Caller,
  id: string,
  correction: { readonly text: string; readonly baseVersion: number },
): Promise<CurrentText> {
  const before = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const object = await findEditable(stores, zone, id);
    requireVersion(object.version, correction.baseVersion);
    const stored = await stores.texts.find(id);
    // Also checked before the analysis, which is expensive.
    await requireRoom(stores, caller, zone, stored.correction, correction.text);
    return { object, language: stored.text?.language ?? '' };
  });
  const { text } = correction;
  const language = await languageOf(deps, text, before.language);
  const indexed = await indexText(deps.scheduler, text, language);
  const findings = await findingsOf(deps, before.object, { text, language, title: '', pages: 1 });
  const { shown, nudges } = await deps.uow.write(
    caller.scope,
    async (stores) => {
      const zone = await zoneFor(deps, stores.pinLock, caller);
      const object = await findEditable(stores, zone, id);
      requireVersion(object.version, correction.baseVersion);
      const { correction: previous } = await stores.texts.find(id);
      await requireRoom(stores, caller, zone, previous, text);
      const now = deps.clock.now();
      const saved: TextCorrection = {
        objectId: id,
        text,
        language,
        savedAt: now,
      };
      await stores.texts.putCorrection(saved);
      const { changed, nudges } = await classified(deps, stores, findings, now, {
        ...object,
        hasCorrections: true,
        textState: 'available',
        needsManual: false,
        updatedAt: now,
      });
      await stores.objects.save(changed);
      await indexObjectMetadata(stores.search, changed);
      await stores.search.put(id, indexed);
      return { shown: corrected(object.version, saved), nudges };
    },
    sizeOf(indexed),
  );
  await enqueueAll(deps.jobs, nudges);
  return shown;
}

/** Only the growth needs room: a shorter correction is accepted at a full quota. */
async function requireRoom(
  stores: Pick<Stores, 'contents'>,
  caller: Caller,
  zone: Zone,
  previous: TextCorrection | undefined,
  text: string,
): Promise<void> {
  const growth = utf8Length(text) - utf8Length(previous?.text ?? '');
  if (growth > 0) await requireStorageQuota(stores, caller, growth, zone);
}

/** Findings of the text now in effect; a model may add more in the background. */
async function classified(
  deps: ModelEnrichmentDeps,
  stores: Pick<Stores, 'enrichments' | 'settings' | 'integrations' | 'tasks'>,
  findings: Findings,
  correctedAt: Instant | null,
  object: StoredObject,
): Promise<{ readonly changed: StoredObject; readonly nudges: readonly TaskNudge[] }> {
  const awaits = await needsModelEnrichment(deps, stores, object);
  const unnamed = await isUnnamed(stores, object);
  const changed = await saveFindings(stores, object, findings, { names: unnamed && !awaits });
  if (!awaits) return { changed, nudges: [] };
  const naming = unnamed && { namedBefore: object.aiName };
  return {
    changed,
    nudges: await scheduleModelEnrichment(deps, stores, changed, { correctedAt, ...naming }),
  };
}

/** A failed language detection must not reject a correction: it keeps the language of the extracted text. */
async function languageOf(deps: TextDeps, text: string, otherwise: string): Promise<string> {
  try {
    return await deps.extractor.languageOf(text);
  } catch (error) {
    if (error instanceof UnavailableError) return otherwise;
    throw error;
  }
}

/** Restores the extracted text. */
export async function dropCorrection(deps: TextDeps, caller: Caller, id: string): Promise<void> {
  const before = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const object = await findEditable(stores, zone, id);
    return { object, ...(await stores.texts.find(id)) };
  });
  if (!before.correction) throw notFound();
  const { text: read } = before;
  const indexed = read ? await indexText(deps.scheduler, read.text, read.language) : [];
  const findings = await findingsOf(
    deps,
    before.object,
    read && { ...read, title: '', pages: read.pages.length },
  );
  const nudges = await deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const object = await findEditable(stores, zone, id);
    const { text, correction } = await stores.texts.find(id);
    if (!correction) throw notFound();
    await stores.texts.removeCorrection(id);
    const isRead = object.status === 'ready' || object.status === 'failed';
    const changed: StoredObject = {
      ...object,
      hasCorrections: false,
      textState: text ? 'available' : isRead ? 'absent' : 'pending',
      needsManual: !text && object.status === 'ready' && object.error !== null,
      updatedAt: deps.clock.now(),
    };
    // Read again meanwhile: that task has indexed and analysed the newer text already.
    const same = text?.version === before.text?.version;
    if (same) await stores.search.put(id, indexed);
    const { changed: updated, nudges } = !same
      ? { changed, nudges: [] }
      : text || object.status === 'ready'
        ? await classified(deps, stores, findings, null, changed)
        : { changed: await forgetFindings(stores, changed), nudges: [] };
    await stores.objects.save(updated);
    await indexObjectMetadata(stores.search, updated);
    return nudges;
  });
  await enqueueAll(deps.jobs, nudges);
}

function requireVersion(version: number, base: number): void {
  if (version !== base) throw versionConflict({ current_version: version });
}

/** The page map does not fit a text written by the owner: it is one page. */
function corrected(version: number, correction: TextCorrection): CurrentText {
  const charEnd = codePointLength(correction.text);
  return {
    objectId: correction.objectId,
    version,
    text: correction.text,
    source: 'corrected',
    language: correction.language,
    pages: [{ page: 1, charStart: 0, charEnd }],
  };
}

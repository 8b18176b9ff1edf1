import { PortFailure } from '../../ports/failures.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { TextExtractor } from '../../ports/text-extraction.ts';
import type { ObjectText, TextCorrection } from '../../ports/texts.ts';
import type { Breather, Clock } from '../../ports/time-and-ids.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { findChangeable, findSeen, versionConflict } from '../objects/index.ts';
import { indexText, placeObject } from '../search/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { codePointLength } from '../text/index.ts';
import { findingsOf, forgetFindings, keepFindings } from './enrichment.ts';

export interface TextDeps extends ZoneDeps {
  readonly uow: UnitOfWork<
    'objects' | 'texts' | 'search' | 'zoneLock' | 'enrichments' | 'settings'
  >;
  readonly extractor: Pick<TextExtractor, 'languageOf'>;
  readonly breather: Breather;
  readonly clock: Clock;
}

/** The text that stands for an object now. All offsets count its code points. */
export interface CurrentText extends Omit<ObjectText, 'source'> {
  readonly source: ObjectText['source'] | 'corrected';
}

export async function getText(deps: TextDeps, caller: Caller, id: string): Promise<CurrentText> {
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const object = await findSeen(stores, zone, id);
    const { text, correction } = await stores.texts.find(id);
    const current = correction ? corrected(object.version, correction) : text;
    if (!current) throw notFound();
    return current;
  });
}

/** Puts the owner's own text over the one that was read. The content and its version stay as they are. */
export async function correctText(
  deps: TextDeps,
  caller: Caller,
  id: string,
  correction: { readonly text: string; readonly baseVersion: number },
): Promise<CurrentText> {
  const before = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const object = await findChangeable(stores, zone, id);
    requireVersion(object.version, correction.baseVersion);
    return { object, language: (await stores.texts.find(id)).text?.language ?? '' };
  });
  const { text } = correction;
  const language = await languageOf(deps, text, before.language);
  const indexed = await indexText(deps.breather, text, language);
  const findings = await findingsOf(deps, before.object, { text, language, title: '', pages: 1 });
  return deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const object = await findChangeable(stores, zone, id);
    requireVersion(object.version, correction.baseVersion);
    const now = deps.clock.now();
    const saved: TextCorrection = {
      objectId: id,
      text,
      language,
      savedAt: now,
    };
    await stores.texts.putCorrection(saved);
    const changed = await keepFindings(
      stores,
      {
        ...object,
        hasCorrections: true,
        textState: 'available',
        needsManual: false,
        updatedAt: now,
      },
      findings,
    );
    await stores.objects.save(changed);
    await placeObject(stores.search, changed);
    await stores.search.put(id, indexed);
    return corrected(object.version, saved);
  });
}

/** A correction is worth more than knowing its language: without the detector it keeps that of what was read. */
async function languageOf(deps: TextDeps, text: string, otherwise: string): Promise<string> {
  try {
    return await deps.extractor.languageOf(text);
  } catch (error) {
    if (error instanceof PortFailure) return otherwise;
    throw error;
  }
}

/** Goes back to the text that was read. */
export async function dropCorrection(deps: TextDeps, caller: Caller, id: string): Promise<void> {
  const before = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const object = await findChangeable(stores, zone, id);
    return { object, ...(await stores.texts.find(id)) };
  });
  if (!before.correction) throw notFound();
  const { text: read } = before;
  const indexed = read ? await indexText(deps.breather, read.text, read.language) : [];
  const findings = await findingsOf(
    deps,
    before.object,
    read && { ...read, title: '', pages: read.pages.length },
  );
  await deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const object = await findChangeable(stores, zone, id);
    const { text, correction } = await stores.texts.find(id);
    if (!correction) throw notFound();
    await stores.texts.removeCorrection(id);
    const isRead = object.status === 'ready' || object.status === 'failed';
    const changed: StoredObject = {
      ...object,
      hasCorrections: false,
      textState: text ? 'available' : isRead ? 'absent' : 'awaited',
      needsManual: !text && object.status === 'ready' && object.error !== null,
      updatedAt: deps.clock.now(),
    };
    // Read anew in between: the task that did so has indexed and judged the newer text already.
    const same = text?.version === before.text?.version;
    if (same) await stores.search.put(id, indexed);
    const told = !same
      ? changed
      : text || object.status === 'ready'
        ? await keepFindings(stores, changed, findings)
        : await forgetFindings(stores, changed);
    await stores.objects.save(told);
    await placeObject(stores.search, told);
  });
}

function requireVersion(version: number, base: number): void {
  if (version !== base) throw versionConflict({ current_version: version });
}

/** The pages of what was read do not fit a text that somebody else wrote: it is one page. */
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

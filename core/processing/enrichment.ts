import type { AutoRenameMode } from '../../ports/settings.ts';
import type { DocType, StoredObject } from '../../ports/objects.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { docTypeOfFile, enrich, enrichWithoutText, type Findings } from '../enrichment/index.ts';
import { currentSettings } from '../settings/index.ts';
import { nameFor } from './naming.ts';

/** The text to analyse, with the facts from reading it. */
export interface ReadText {
  readonly text: string;
  readonly language: string;
  /** The document's title, '' if it has none. */
  readonly title: string;
  readonly pages: number;
}

const BUILT_IN = 'builtin';

export type EnrichmentStores = Pick<Stores, 'enrichments' | 'settings'>;

/**
 * Runs before the unit of work, since a long text takes a while. Without a text, kind and name are analysed.
 * `docType` is the document type, if it was given.
 */
export async function findingsOf(
  deps: { readonly scheduler: Scheduler },
  object: StoredObject,
  read: ReadText | undefined,
  docType?: DocType,
): Promise<Findings> {
  if (!read) return enrichWithoutText(object);
  return enrich(deps.scheduler, {
    kind: object.kind,
    format: object.format,
    filename: object.originalName,
    text: read.text,
    language: read.language,
    title: ownTitle(object) || read.title,
    pages: Math.max(read.pages, 1),
    addedAt: object.createdAt,
    ...(docType && { docType }),
  });
}

/** Whether the owner has neither accepted nor dismissed a name generated for this content, nor chosen one. */
export async function isUnnamed(
  { enrichments }: Pick<Stores, 'enrichments'>,
  { id, version, aiName }: StoredObject,
): Promise<boolean> {
  return aiName === '' || (await enrichments.find(id))?.version !== version;
}

export interface FindingsContext {
  /** The producer of the findings, by default the service itself. */
  readonly model?: string;
  /** Whether a name is to be generated from them. */
  readonly names: boolean;
  /** A name from the built-in findings of the same text may be replaced by one that is similar. */
  readonly replacesName?: boolean;
}

/** Saves the findings of the object. Returns the object in the state to be saved. */
export async function saveFindings(
  stores: EnrichmentStores,
  object: StoredObject,
  findings: Findings,
  { model = BUILT_IN, names, replacesName = false }: FindingsContext,
): Promise<StoredObject> {
  const { language, title, description, summary, docType, keywords, entities } = findings;
  await stores.enrichments.put({
    objectId: object.id,
    version: object.version,
    model,
    language,
    title,
    description,
    summary,
    docType,
    keywords,
    entities,
  });
  const updated: StoredObject = {
    ...object,
    docType,
    title: ownTitle(object) || title,
    summary,
    meetingDate: findings.meetingDate,
  };
  const by = { byModel: model !== BUILT_IN, replacesName };
  return names ? nameBy(stores, updated, findings, by) : updated;
}

/** Generates a name from saved findings. */
export const nameLater = (
  stores: Pick<Stores, 'settings'>,
  object: StoredObject,
  findings: Findings,
): Promise<StoredObject> =>
  nameBy(stores, object, findings, { byModel: false, replacesName: false });

interface Naming {
  readonly byModel: boolean;
  readonly replacesName: boolean;
}

async function nameBy(
  stores: Pick<Stores, 'settings'>,
  object: StoredObject,
  findings: Findings,
  naming: Naming,
): Promise<StoredObject> {
  const { autoRenameMode } = await currentSettings(stores);
  return named(object, findings, autoRenameMode, naming);
}

/** Findings of an earlier text do not apply to the object. */
export async function forgetFindings(
  stores: Pick<Stores, 'enrichments'>,
  object: StoredObject,
): Promise<StoredObject> {
  await stores.enrichments.remove(object.id);
  return {
    ...object,
    docType: docTypeOfFile(object),
    title: ownTitle(object),
    summary: '',
    meetingDate: null,
    suggestedName: null,
    suggestedReason: null,
  };
}

/** The title of a note is the owner's, if given; that of a link the owner's or the page's. */
const ownTitle = ({ kind, nameSource, title }: StoredObject): string =>
  kind === 'link' || (kind === 'note' && nameSource === 'user') ? title : '';

/**
 * Applies a generated name, or suggests it, according to the owner's setting. `aiName` records that one was answered
 * already.
 */
function named(
  object: StoredObject,
  findings: Findings,
  mode: AutoRenameMode,
  { byModel, replacesName }: Naming,
): StoredObject {
  if (mode === 'dont_rename') return object;
  const isGenerated = object.nameSource === 'ai' && object.filename === object.aiName;
  const filename = replacesName && isGenerated ? object.originalName : object.filename;
  const name = object.nameLocked ? undefined : nameFor({ ...object, filename }, findings, byModel);
  if (!name || mode === 'suggest')
    return {
      ...object,
      suggestedName: name?.filename ?? null,
      suggestedReason: name?.reason ?? null,
    };
  return {
    ...object,
    filename: name.filename,
    aiName: name.filename,
    nameSource: 'ai',
    suggestedName: null,
    suggestedReason: null,
  };
}

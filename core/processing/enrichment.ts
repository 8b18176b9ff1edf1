import type { AutoRenameMode } from '../../ports/settings.ts';
import type { DocType, StoredObject } from '../../ports/objects.ts';
import type { Breather } from '../../ports/time-and-ids.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { docTypeOfFile, enrich, withoutText, type Findings } from '../enrichment/index.ts';
import { currentSettings } from '../settings/index.ts';
import { nameFor } from './naming.ts';

/** The text that findings are made of, with what was told of it when it was read. */
export interface ReadText {
  readonly text: string;
  readonly language: string;
  /** The document's own, '' without. */
  readonly title: string;
  readonly pages: number;
}

const BUILT_IN = 'builtin';

export type EnrichmentStores = Pick<Stores, 'enrichments' | 'settings'>;

/**
 * Belongs before the unit of work: a long text takes a while. Without a text, what kind and name tell. `docType` is
 * what kind of document it is, where somebody has told.
 */
export async function findingsOf(
  deps: { readonly breather: Breather },
  object: StoredObject,
  read: ReadText | undefined,
  docType?: DocType,
): Promise<Findings> {
  if (!read) return withoutText(object);
  return enrich(deps.breather, {
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

/** Whether no name was made of this very content yet that its owner has taken or dropped, or was given. */
export async function isUnnamed(
  { enrichments }: Pick<Stores, 'enrichments'>,
  { id, version, aiName }: StoredObject,
): Promise<boolean> {
  return aiName === '' || (await enrichments.find(id))?.version !== version;
}

export interface Keeping {
  /** Who made the findings, the service itself unless told otherwise. */
  readonly model?: string;
  /** Whether a name is to be made of them. */
  readonly names: boolean;
}

/** Keeps the findings beside the object. Answers with the object as it is to be saved. */
export async function keepFindings(
  stores: EnrichmentStores,
  object: StoredObject,
  findings: Findings,
  { model = BUILT_IN, names }: Keeping,
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
  const told: StoredObject = {
    ...object,
    docType,
    title: ownTitle(object) || title,
    summary,
    meetingDate: findings.meetingDate,
  };
  return names ? nameBy(stores, told, findings, model !== BUILT_IN) : told;
}

/** A name by findings that are kept already. */
export const nameLater = (
  stores: Pick<Stores, 'settings'>,
  object: StoredObject,
  findings: Findings,
): Promise<StoredObject> => nameBy(stores, object, findings, false);

async function nameBy(
  stores: Pick<Stores, 'settings'>,
  object: StoredObject,
  findings: Findings,
  byModel: boolean,
): Promise<StoredObject> {
  const { autoRenameMode } = await currentSettings(stores);
  return named(object, findings, autoRenameMode, byModel);
}

/** What was found in a text that is no more does not speak of the object. */
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

/** A note's title is its owner's where the owner gave one; a link's is that, or the one its page told of itself. */
const ownTitle = ({ kind, nameSource, title }: StoredObject): string =>
  kind === 'link' || (kind === 'note' && nameSource === 'user') ? title : '';

/** A name for what was found, given or proposed as the owner wants it. `aiName` tells that one was answered already. */
function named(
  object: StoredObject,
  findings: Findings,
  mode: AutoRenameMode,
  byModel: boolean,
): StoredObject {
  if (mode === 'dont_rename') return object;
  const name = object.nameLocked ? undefined : nameFor(object, findings, byModel);
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

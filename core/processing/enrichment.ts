import type { AutoRenameMode } from '../../ports/settings.ts';
import type { StoredObject } from '../../ports/objects.ts';
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

export type EnrichmentStores = Pick<Stores, 'enrichments' | 'settings'>;

/** Belongs before the unit of work: a long text takes a while. Without a text, what kind and name tell. */
export async function findingsOf(
  deps: { readonly breather: Breather },
  object: StoredObject,
  read: ReadText | undefined,
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
  });
}

/** Keeps the findings beside the object. Answers with the object as it is to be saved. */
export async function keepFindings(
  stores: EnrichmentStores,
  object: StoredObject,
  findings: Findings,
): Promise<StoredObject> {
  const before = await stores.enrichments.find(object.id);
  const { autoRenameMode } = await currentSettings(stores);
  const { language, title, description, summary, docType, keywords, entities } = findings;
  await stores.enrichments.put({
    objectId: object.id,
    version: object.version,
    model: 'builtin',
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
  const answered = before?.version === object.version && object.aiName !== '';
  return answered ? told : named(told, findings, autoRenameMode);
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
function named(object: StoredObject, findings: Findings, mode: AutoRenameMode): StoredObject {
  if (mode === 'dont_rename') return object;
  const name = object.nameLocked ? undefined : nameFor(object, findings);
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

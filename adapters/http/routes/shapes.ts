import type { Enrichment as ObjectEnrichment } from '../../../ports/enrichments.ts';
import { DOC_TYPES } from '../../../ports/objects.ts';
import { UNREAD_CODES, connectionReason, unreadReason } from '../../../ports/reasons.ts';
import { OBJECT_KINDS } from '../../../ports/text-extraction.ts';
import { capabilitiesOf, type ObjectView } from '../../../core/objects/index.ts';
import { toIsoString } from '../response/iso-date.ts';
import {
  closed,
  dateTime,
  flag,
  freeForm,
  int,
  list,
  named,
  nullable,
  object,
  objectId,
  oneOf,
  text,
  uuid,
  withDefault,
  type Schema,
  type TypeOf,
} from '../schema.ts';

export { toIsoString as iso };
export const isoOrNull = (at: number | null): string | null =>
  at === null ? null : toIsoString(at);

export const paging = {
  limit: withDefault(int({ minimum: 1, maximum: 100 }), 20),
  offset: withDefault(int({ minimum: 0 }), 0),
};

export const objectPath = object({ object_id: objectId() });

export const listReply = <T>(name: string, item: Schema<T>) =>
  named(name, closed({ items: list(item), total: int() }));

export const waitingDocuments = () =>
  int({
    minimum: 1,
    description:
      'How many documents have built-in findings because the model was busy, and wait for it. Left out if there are none. Hidden ones are never counted.',
  });

export const Deleted = named('Deleted', closed({ deleted: flag() }));
export const deleted = (): TypeOf<typeof Deleted> => ({ deleted: true });

/** The code and the fact of the reason why a connection fails; `sentence` is '' if it does not. */
export function connectionError(sentence: string) {
  const reason = sentence === '' ? undefined : connectionReason(sentence);
  return { error_code: reason?.code ?? null, error_fact: reason?.fact ?? '' };
}

export const Enrichment = named(
  'Enrichment',
  closed({
    description: text(),
    language: text(),
    model: text(),
    summary: text(),
    title: text(),
    doc_type: oneOf(...DOC_TYPES),
    entities: freeForm(),
    keywords: list(text()),
  }),
);

const shared = {
  id: objectId(),
  filename: text(),
  kind: oneOf(...OBJECT_KINDS),
  status: oneOf('pending', 'processing', 'ready', 'failed'),
  created_at: dateTime(),
  size: int(),
  version: int(),
  display_name: text(),
  name_source: oneOf('original', 'user', 'ai'),
  categories: list(text()),
  collection_id: nullable(uuid()),
  collection_name: nullable(text()),
  deleted_at: nullable(dateTime()),
  meeting_date: nullable(dateTime()),
  editor: nullable(oneOf('office', 'text', 'image')),
  source_url: nullable(text()),
  suggested_name: nullable(text()),
  suggested_collection_id: nullable(uuid()),
  has_corrections: flag(),
  image_editable: flag(),
  is_hidden: flag(),
  needs_manual: flag(),
  error_code: nullable(oneOf(...UNREAD_CODES)),
  error_fact: text({ description: 'A limit, status or format in the reason; empty for none.' }),
  pdf_tools: flag(),
  text_fallback: flag(),
  text_view: flag(),
};

export const ObjectDetail = named(
  'ObjectDetail',
  closed({
    ...shared,
    mime: text(),
    content_hash: text(),
    updated_at: dateTime(),
    original_name: text(),
    ai_name: text(),
    name_locked: flag(),
    enrichment: nullable(Enrichment),
    error: nullable(text()),
    suggested_reason: nullable(text()),
  }),
);

export const ObjectListItem = named(
  'ObjectListItem',
  closed({ ...shared, summary: text(), title: text(), doc_type: oneOf(...DOC_TYPES) }),
);

function sharedOf({ object: o, collectionName }: ObjectView) {
  const traits = capabilitiesOf(o);
  const reason = o.error === null ? undefined : unreadReason(o.error);
  return {
    id: o.id,
    filename: o.filename,
    kind: o.kind,
    status: o.status,
    created_at: toIsoString(o.createdAt),
    size: o.size,
    version: o.version,
    display_name: o.filename,
    name_source: o.nameSource,
    categories: o.categories as string[],
    collection_id: o.collectionId,
    collection_name: collectionName,
    deleted_at: isoOrNull(o.deletedAt),
    meeting_date: isoOrNull(o.meetingDate),
    editor: traits.editor,
    source_url: o.sourceUrl,
    suggested_name: o.suggestedName,
    suggested_collection_id: o.suggestedCollectionId,
    has_corrections: o.hasCorrections,
    image_editable: traits.imageEditable,
    is_hidden: o.isHidden,
    needs_manual: o.needsManual,
    error_code: reason?.code ?? null,
    error_fact: reason?.fact ?? '',
    pdf_tools: traits.pdfTools,
    text_fallback: traits.textFallback,
    text_view: traits.textView,
  };
}

const enrichmentOf = (e: ObjectEnrichment): TypeOf<typeof Enrichment> => ({
  description: e.description,
  language: e.language,
  model: e.model,
  summary: e.summary,
  title: e.title,
  doc_type: e.docType,
  entities: e.entities,
  keywords: [...e.keywords],
});

export function objectDetail(view: ObjectView): TypeOf<typeof ObjectDetail> {
  const o = view.object;
  return {
    ...sharedOf(view),
    mime: o.mime,
    content_hash: o.contentHash,
    updated_at: toIsoString(o.updatedAt),
    original_name: o.originalName,
    ai_name: o.aiName,
    name_locked: o.nameLocked,
    enrichment: view.enrichment ? enrichmentOf(view.enrichment) : null,
    error: o.error,
    suggested_reason: o.suggestedReason,
  };
}

export function objectListItem(view: ObjectView): TypeOf<typeof ObjectListItem> {
  const { summary, title, docType } = view.object;
  return { ...sharedOf(view), summary, title, doc_type: docType };
}

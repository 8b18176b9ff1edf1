import {
  categoryKey,
  hasSuggestion,
  nameKey,
  type ObjectSummary,
  type StoredObject,
} from '../../../../ports/objects.ts';
import { upsertText, type Value } from '../../sql.ts';

/** One row of `objects`. `folder` is '' for none; `trashed` repeats `deleted_at`, so that indexes can begin with it. */
export interface ObjectRow {
  readonly id: string;
  readonly filename: string;
  readonly original_name: string;
  readonly ai_name: string;
  readonly name_source: StoredObject['nameSource'];
  readonly name_locked: number;
  readonly kind: StoredObject['kind'];
  readonly mime: string;
  readonly format: string;
  readonly size: number;
  readonly content_hash: string;
  readonly blob_id: string;
  readonly version: number;
  readonly status: StoredObject['status'];
  readonly error: string | null;
  readonly is_hidden: number;
  readonly deleted_at: number | null;
  readonly folder: string;
  readonly categories: string;
  readonly doc_type: StoredObject['docType'];
  readonly title: string;
  readonly summary: string;
  readonly meeting_date: number | null;
  readonly suggested_name: string | null;
  readonly suggested_reason: string | null;
  readonly suggested_folder: string | null;
  readonly folder_answered: number;
  readonly source_url: string | null;
  readonly text_state: StoredObject['textState'];
  readonly has_corrections: number;
  readonly needs_manual: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The fields of an object in the facet counters and the order indexes. */
export interface Facets {
  readonly trashed: number;
  readonly is_hidden: number;
  readonly folder: string;
  readonly kind: string;
  readonly doc_type: string;
  readonly text_state: string;
  readonly status: string;
  readonly suggested: number;
}

/** Columns that repeat others, so that indexes can begin with them. */
interface ListKeys {
  readonly trashed: number;
  readonly suggested: number;
  readonly name_key: string;
}

/** A row as it is found before it changes. */
export type FoundRow = ObjectRow & Facets & Pick<ListKeys, 'name_key'>;

const NONE: readonly string[] = Object.freeze([]);

export const facetsOf = (object: StoredObject): Facets => ({
  trashed: object.deletedAt === null ? 0 : 1,
  is_hidden: object.isHidden ? 1 : 0,
  folder: object.collectionId ?? '',
  kind: object.kind,
  doc_type: object.docType,
  text_state: object.textState,
  status: object.status,
  suggested: hasSuggestion(object) ? 1 : 0,
});

/** The rows of `object_categories` for an object, without the owner: in the order of `CATEGORY_COLUMNS`. */
export const categoryRowsOf = (
  object: Pick<ObjectRow, 'id' | 'categories' | 'is_hidden' | 'created_at'> &
    Pick<Facets, 'trashed'>,
): readonly (readonly (string | number)[])[] => {
  if (object.categories === '[]') return [];
  const keys = new Set((JSON.parse(object.categories) as string[]).map(categoryKey));
  const { trashed, is_hidden, created_at, id } = object;
  return [...keys].map((category) => [category, trashed, is_hidden, created_at, id]);
};

export const CATEGORY_COLUMNS = ['category', 'trashed', 'is_hidden', 'created_at', 'object_id'];

export const toStoredRow = (object: StoredObject): ObjectRow & ListKeys => ({
  trashed: object.deletedAt === null ? 0 : 1,
  suggested: hasSuggestion(object) ? 1 : 0,
  name_key: nameKey(object.filename),
  id: object.id,
  filename: object.filename,
  original_name: object.originalName,
  ai_name: object.aiName,
  name_source: object.nameSource,
  name_locked: object.nameLocked ? 1 : 0,
  kind: object.kind,
  mime: object.mime,
  format: object.format,
  size: object.size,
  content_hash: object.contentHash,
  blob_id: object.blobId,
  version: object.version,
  status: object.status,
  error: object.error,
  is_hidden: object.isHidden ? 1 : 0,
  deleted_at: object.deletedAt,
  folder: object.collectionId ?? '',
  categories: JSON.stringify(object.categories),
  doc_type: object.docType,
  title: object.title,
  summary: object.summary,
  meeting_date: object.meetingDate,
  suggested_name: object.suggestedName,
  suggested_reason: object.suggestedReason,
  suggested_folder: object.suggestedCollectionId,
  folder_answered: object.folderAnswered ? 1 : 0,
  source_url: object.sourceUrl,
  text_state: object.textState,
  has_corrections: object.hasCorrections ? 1 : 0,
  needs_manual: object.needsManual ? 1 : 0,
  created_at: object.createdAt,
  updated_at: object.updatedAt,
});

/** Written out, unlike the other stores' records: lists of objects are the hottest path there is. */
export const toObject = (row: ObjectRow): StoredObject => ({
  id: row.id,
  filename: row.filename,
  originalName: row.original_name,
  aiName: row.ai_name,
  nameSource: row.name_source,
  nameLocked: row.name_locked === 1,
  kind: row.kind,
  mime: row.mime,
  format: row.format,
  size: row.size,
  contentHash: row.content_hash,
  blobId: row.blob_id,
  version: row.version,
  status: row.status,
  error: row.error,
  isHidden: row.is_hidden === 1,
  deletedAt: row.deleted_at,
  collectionId: row.folder === '' ? null : row.folder,
  categories: row.categories === '[]' ? NONE : (JSON.parse(row.categories) as string[]),
  docType: row.doc_type,
  title: row.title,
  summary: row.summary,
  meetingDate: row.meeting_date,
  suggestedName: row.suggested_name,
  suggestedReason: row.suggested_reason,
  suggestedCollectionId: row.suggested_folder,
  folderAnswered: row.folder_answered === 1,
  sourceUrl: row.source_url,
  textState: row.text_state,
  hasCorrections: row.has_corrections === 1,
  needsManual: row.needs_manual === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const OBJECT_COLUMNS = [
  'id',
  'filename',
  'original_name',
  'ai_name',
  'name_source',
  'name_locked',
  'kind',
  'mime',
  'format',
  'size',
  'content_hash',
  'blob_id',
  'version',
  'status',
  'error',
  'is_hidden',
  'deleted_at',
  'folder',
  'categories',
  'doc_type',
  'title',
  'summary',
  'meeting_date',
  'suggested_name',
  'suggested_reason',
  'suggested_folder',
  'folder_answered',
  'source_url',
  'text_state',
  'has_corrections',
  'needs_manual',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ObjectRow)[];

export const OUTLINE_COLUMNS = ['id', 'filename', 'mime', 'size', 'created_at'] as const;

export const toOutline = (
  row: Pick<ObjectRow, (typeof OUTLINE_COLUMNS)[number]>,
): ObjectSummary => ({
  id: row.id,
  filename: row.filename,
  mime: row.mime,
  size: row.size,
  createdAt: row.created_at,
});

/** The columns of `objects`, but for the owner. */
export const STORED_COLUMNS = ['trashed', 'suggested', 'name_key', ...OBJECT_COLUMNS] as const;

export const saveObjectText = upsertText(
  'objects',
  ['owner_id', ...STORED_COLUMNS],
  ['owner_id', 'id'],
);

type StoredRow = ReturnType<typeof toStoredRow>;

/** The columns in which an object differs from its row, with the values they are to have. */
export function changesOf(before: FoundRow, row: StoredRow): [string[], Value[]] {
  const changed = STORED_COLUMNS.filter((column) => row[column] !== before[column]);
  return [changed, changed.map((column) => row[column])];
}

/** The values of `saveObjectText`, in its order. */
export const objectValues = (ownerId: string, row: StoredRow): Value[] => [
  ownerId,
  ...STORED_COLUMNS.map((column) => row[column]),
];

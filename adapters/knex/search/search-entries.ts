import type { SearchEntry, SearchZone } from '../../../ports/search.ts';
import { upsertText, type Sql } from '../sql.ts';

export interface EntryRow {
  readonly number: number;
  readonly zone: SearchZone;
  readonly kind: string;
  readonly doc_type: string;
  readonly collection_id: string | null;
  readonly created_at: number;
  readonly passages: number;
  readonly terms: number;
}

const ENTRY_COLUMNS = [
  'owner_no',
  'object_id',
  'zone',
  'kind',
  'doc_type',
  'collection_id',
  'created_at',
  'passages',
  'terms',
];

const SAVE_ENTRY = `${upsertText('search_entries', ENTRY_COLUMNS, ['owner_no', 'object_id'])} returning number`;

export const readEntry = (
  sql: Sql,
  ownerNo: number,
  objectId: string,
): Promise<EntryRow | undefined> =>
  sql.get<EntryRow>(
    `select number, zone, kind, doc_type, collection_id, created_at, passages, terms
     from search_entries where owner_no = ? and object_id = ?`,
    [ownerNo, objectId],
  );

/** Inserts or replaces it, and returns its number. */
export async function saveEntry(
  sql: Sql,
  ownerNo: number,
  entry: SearchEntry,
  { passages, terms }: Pick<EntryRow, 'passages' | 'terms'>,
): Promise<number> {
  const { objectId, zone, kind, docType, collectionId, createdAt } = entry;
  const row = await sql.get<{ number: number }>(SAVE_ENTRY, [
    ownerNo,
    objectId,
    zone,
    kind,
    docType,
    collectionId,
    createdAt,
    passages,
    terms,
  ]);
  if (!row) throw new Error('A placed object has no number.');
  return row.number;
}

/** Whether the row of an entry needs no change. */
export const same = (row: EntryRow, entry: SearchEntry): boolean =>
  row.zone === entry.zone &&
  row.kind === entry.kind &&
  row.doc_type === entry.docType &&
  row.collection_id === entry.collectionId &&
  row.created_at === entry.createdAt;

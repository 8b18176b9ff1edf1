export type Row = Readonly<Record<string, string | number | null>>;

const iso = (at: unknown): string | null =>
  at === null ? null : new Date(Number(at)).toISOString();
const OFFICE = new Set(['docx', 'xlsx', 'pptx']);
const PICTURES = new Set(['jpg', 'png', 'webp']);

/** The fields of the service's response, built from a row directly. */
const shared = (row: Row) => {
  const office = OFFICE.has(String(row['format']));
  const picture = row['kind'] === 'image' && PICTURES.has(String(row['format']));
  const text = row['kind'] === 'note' || row['kind'] === 'text';
  const readable = row['text_state'] === 'available';
  return {
    id: row['id'],
    filename: row['filename'],
    kind: row['kind'],
    status: row['status'],
    created_at: iso(row['created_at']),
    size: row['size'],
    version: row['version'],
    display_name: row['filename'],
    name_source: row['name_source'],
    categories: JSON.parse(String(row['categories'])) as unknown,
    collection_id: row['folder'] === '' ? null : row['folder'],
    collection_name: row['collection_name'],
    deleted_at: iso(row['deleted_at']),
    meeting_date: iso(row['meeting_date']),
    editor: office ? 'office' : text ? 'text' : picture ? 'image' : null,
    source_url: row['source_url'],
    suggested_name: row['suggested_name'],
    suggested_collection_id: row['suggested_folder'],
    has_corrections: row['has_corrections'] === 1,
    image_editable: picture,
    is_hidden: row['is_hidden'] === 1,
    needs_manual: row['needs_manual'] === 1,
    pdf_tools: row['kind'] === 'pdf',
    text_fallback: office && readable,
    text_view: readable,
  };
};

const item = (row: Row) => ({
  ...shared(row),
  summary: row['summary'],
  title: row['title'],
  doc_type: row['doc_type'],
});

/** The rows include one additional row if there are more. */
export function listReply(rows: readonly Row[], limit: number, total: number) {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const next = last && Buffer.from(`${last['created_at']}.${last['id']}`).toString('base64url');
  return {
    items: rows.slice(0, limit).map(item),
    total,
    next_cursor: next ?? null,
  };
}

export const detailReply = (row: Row) => ({
  ...shared(row),
  mime: row['mime'],
  content_hash: row['content_hash'],
  updated_at: iso(row['updated_at']),
  original_name: row['original_name'],
  ai_name: row['ai_name'],
  name_locked: row['name_locked'] === 1,
  enrichment: null,
  error: row['error'],
  suggested_reason: row['suggested_reason'],
});

/** `row` has the counters, `versions` those of the owner. */
export const notificationsReply = (rows: readonly Row[], state: Row | undefined) => ({
  items: rows.map((row) => ({
    id: row['id'],
    kind: row['kind'],
    title: row['title'],
    body: row['body'],
    payload: JSON.parse(String(row['payload'])) as unknown,
    read: row['read_at'] !== null,
    read_at: iso(row['read_at']),
    created_at: iso(row['created_at']),
  })),
  unread: state?.['visible_unread'] ?? 0,
  total: state?.['visible_total'] ?? 0,
});

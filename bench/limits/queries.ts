import Database from 'better-sqlite3';

type Row = Readonly<Record<string, string | number | null>>;

const iso = (at: unknown): string | null =>
  at === null ? null : new Date(Number(at)).toISOString();

/** What both answers of the service hold, made from a row in the plainest way. */
const shared = (row: Row) => ({
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
  collection_name: null,
  deleted_at: iso(row['deleted_at']),
  meeting_date: iso(row['meeting_date']),
  editor: row['format'] === 'docx' ? 'office' : null,
  source_url: row['source_url'],
  suggested_name: row['suggested_name'],
  suggested_collection_id: row['suggested_folder'],
  has_corrections: row['has_corrections'] === 1,
  image_editable: false,
  is_hidden: row['is_hidden'] === 1,
  needs_manual: row['needs_manual'] === 1,
  pdf_tools: row['kind'] === 'pdf',
  text_fallback: row['format'] === 'docx',
  text_view: row['text_state'] === 'available',
});
const item = (row: Row) => ({
  ...shared(row),
  summary: row['summary'],
  title: row['title'],
  doc_type: row['doc_type'],
});
const detail = (row: Row) => ({
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

/**
 * The least that can be done for a list and for one object: a prepared statement for the rows and one for a counter
 * row. The signs before the marks keep SQLite from parsing the statements anew for each value.
 */
export function limitQueries(file: string, ownerId: string) {
  const database = new Database(file, { readonly: true });
  const page = database.prepare(
    'select * from objects where owner_id = +? and trashed = 0 and is_hidden = 0 order by created_at desc, id desc limit +?',
  );
  const total = database.prepare(
    "select n from object_counts where owner_id = +? and folder = '*' and trashed = 0 and is_hidden = 0 and kind = '*'",
  );
  const one = database.prepare('select * from objects where owner_id = +? and id = +?');
  const counted = () => (total.get(ownerId) as { n: number } | undefined)?.n ?? 0;
  return {
    list: (limit: number) => ({
      items: (page.all(ownerId, limit) as Row[]).map(item),
      total: counted(),
    }),
    one: (id: string) => {
      counted();
      return detail(one.get(ownerId, id) as Row);
    },
  };
}

import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import type { PartialUpload, UploadPart, UploadStore } from '../../../../ports/uploads.ts';
import { emptyAsNull, plain, recordMap, saveText } from '../../record-mapper.ts';
import { placeholders, type Sql, type Value } from '../../sql.ts';

const UPLOAD = recordMap<PartialUpload>({
  id: plain('id'),
  filename: plain('filename'),
  metadata: plain('metadata'),
  collectionId: emptyAsNull('folder'),
  onDuplicate: plain('on_duplicate'),
  folderPath: plain('folder_path'),
  dropId: emptyAsNull('drop_id'),
  dropName: plain('drop_name'),
  size: plain('size'),
  received: plain('received'),
  state: plain('state'),
  objectId: emptyAsNull('object_id'),
  createdAt: plain('created_at'),
  progressAt: plain('progress_at'),
});
const SELECT = `select ${UPLOAD.columns.join(', ')} from uploads where owner_id = ?`;
const SAVE = saveText('uploads', UPLOAD, ['id']);

const PART = recordMap<UploadPart>({
  start: plain('start_at'),
  size: plain('size'),
  sha256: plain('sha256'),
});
const PARTS = `select ${PART.columns.join(', ')} from upload_parts
  where owner_id = ? and upload_id = ? order by start_at`;
const ADD_PART = `insert into upload_parts (owner_id, upload_id, ${PART.columns.join(', ')})
  values (${placeholders(PART.columns.length + 2)})`;

type Row = Record<string, Value>;

export function knexUploads(sql: Sql, { ownerId }: OwnerScope): UploadStore {
  return {
    find: async (id) => {
      const row = await sql.get<Row>(`${SELECT} and id = ?`, [ownerId, id]);
      return row && UPLOAD.from(row);
    },
    save: (upload) => sql.enqueueChange(SAVE, [ownerId, ...UPLOAD.values(upload)]),
    remove: async (id) => {
      await sql.enqueueChange('delete from upload_parts where owner_id = ? and upload_id = ?', [
        ownerId,
        id,
      ]);
      await sql.enqueueChange('delete from uploads where owner_id = ? and id = ?', [ownerId, id]);
    },
    parts: async (id) => (await sql.all<Row>(PARTS, [ownerId, id])).map(PART.from),
    addPart: (id, part) => sql.enqueueChange(ADD_PART, [ownerId, id, ...PART.values(part)]),
    removeParts: (id, from) =>
      sql.enqueueChange(
        'delete from upload_parts where owner_id = ? and upload_id = ? and start_at >= ?',
        [ownerId, id, from],
      ),
    countOpen: async () => {
      const row = await sql.get<{ n: number }>(
        "select count(*) as n from uploads where owner_id = ? and state = 'open'",
        [ownerId],
      );
      return row?.n ?? 0;
    },
    latestDrop: async (name, since) => {
      const row = await sql.get<{ drop_id: string }>(
        `select drop_id from uploads
         where owner_id = ? and drop_name = ? and drop_id <> '' and progress_at >= ?
         order by progress_at desc, id desc limit 1`,
        [ownerId, name, since],
      );
      return row?.drop_id;
    },
    idle: async (before, limit) => {
      const rows = await sql.all<Row>(
        `${SELECT} and progress_at < ? order by progress_at, id limit ?`,
        [ownerId, before, limit],
      );
      return rows.map(UPLOAD.from);
    },
  };
}

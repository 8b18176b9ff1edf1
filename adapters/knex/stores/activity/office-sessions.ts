import type { OfficeSession, OfficeSessionStore } from '../../../../ports/office.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { flag, json, plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const SESSION = recordMap<OfficeSession>({
  objectId: plain('object_id'),
  key: plain('document_key'),
  openedVersion: plain('opened_version'),
  version: plain('version'),
  state: plain('state'),
  editable: flag('editable'),
  processedSaves: json('processed_saves'),
  notifiedIssues: json('notified_issues'),
  createdAt: plain('created_at'),
  usedAt: plain('used_at'),
});
const COLUMNS = SESSION.columns.join(', ');
const SAVE = saveText('office_sessions', SESSION, ['object_id', 'document_key']);
const OF_OBJECT = `select ${COLUMNS} from office_sessions where owner_id = ? and object_id = ?`;
const FIND = `${OF_OBJECT} and document_key = ?`;
const OPENED = `${OF_OBJECT} and opened_version = ? and state = 'open'
  order by created_at desc, document_key desc limit 1`;
const CARRY = `update office_sessions set version = ?
  where owner_id = ? and object_id = ? and version = ? and state = 'open'`;
const REMOVE_UNUSED = `delete from office_sessions where owner_id = ? and (object_id, document_key) in (
  select object_id, document_key from office_sessions where owner_id = ? and used_at < ? limit ?)`;

export function knexOfficeSessions(sql: Sql, { ownerId }: OwnerScope): OfficeSessionStore {
  const one = async (text: string, ...values: readonly Value[]) => {
    const row = await sql.get<Record<string, Value>>(text, [ownerId, ...values]);
    return row && SESSION.from(row);
  };
  return {
    find: (objectId, key) => one(FIND, objectId, key),
    opened: (objectId, version) => one(OPENED, objectId, version),
    save: (session) => sql.enqueueChange(SAVE, [ownerId, ...SESSION.values(session)]),
    carry: (objectId, from, to) => sql.enqueueChange(CARRY, [to, ownerId, objectId, from]),
    removeAll: (objectId) =>
      sql.enqueueChange('delete from office_sessions where owner_id = ? and object_id = ?', [
        ownerId,
        objectId,
      ]),
    removeUnused: (before, limit) =>
      sql.enqueueChange(REMOVE_UNUSED, [ownerId, ownerId, before, limit]),
  };
}

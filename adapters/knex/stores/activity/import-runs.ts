import type { ImportRun, ImportRunStore } from '../../../../ports/import-runs.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { flag, json, plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const RUN = recordMap<ImportRun>({
  id: plain('id'),
  key: plain('request_key'),
  kind: plain('kind'),
  filename: plain('filename'),
  state: plain('state'),
  isConcealed: flag('is_concealed'),
  done: plain('done'),
  total: plain('total'),
  report: json('report'),
  code: plain('code'),
  leaseUntil: plain('lease_until'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const SAVE = saveText('import_runs', RUN, ['id']);
const SELECT = `select ${RUN.columns.join(', ')} from import_runs where owner_id = ?`;
const NEWEST = 'order by created_at desc, id desc limit ?';
const REMOVE_OLD = `delete from import_runs where owner_id = ? and (created_at < ? or id not in (
  select id from import_runs where owner_id = ? ${NEWEST}))`;

type Row = Record<string, Value>;

export function knexImportRuns(sql: Sql, { ownerId }: OwnerScope): ImportRunStore {
  const one = async (condition: string, value: string) => {
    const row = await sql.get<Row>(`${SELECT} and ${condition} = ?`, [ownerId, value]);
    return row && RUN.from(row);
  };
  return {
    find: (id) => one('id', id),
    findByKey: (key) => one('request_key', key),
    save: (run) => sql.enqueueChange(SAVE, [ownerId, ...RUN.values(run)]),
    newest: async (limit) =>
      (await sql.all<Row>(`${SELECT} ${NEWEST}`, [ownerId, limit])).map(RUN.from),
    removeOld: (before, newest) =>
      sql.enqueueChange(REMOVE_OLD, [ownerId, before, ownerId, newest]),
    remove: async (id) =>
      (await sql.run('delete from import_runs where owner_id = ? and id = ?', [ownerId, id])) > 0,
  };
}

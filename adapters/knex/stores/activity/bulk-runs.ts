import type { BulkItem, BulkRun, BulkRunStore } from '../../../../ports/bulk-runs.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { upsertMany, type TypedColumn } from '../../bulk-rows.ts';
import { emptyAsNull, flag, json, plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

/** Compared as a text, so that '' stands for no binding. */
const bindingOf = (folderIds: readonly string[] | null): string =>
  folderIds === null ? '' : JSON.stringify(folderIds);

const RUN = recordMap<BulkRun>({
  id: plain('id'),
  action: plain('action'),
  collectionId: emptyAsNull('folder'),
  categories: json('categories'),
  filter: json('filter'),
  except: json('except_ids'),
  undoOf: emptyAsNull('undo_of'),
  isBackground: flag('is_background'),
  isConcealed: flag('is_concealed'),
  zone: plain('zone'),
  folderIds: {
    column: 'bound_to',
    put: bindingOf,
    take: (value) => (value === '' ? null : (JSON.parse(value as string) as readonly string[])),
  },
  state: plain('state'),
  isCollected: flag('is_collected'),
  position: json('position'),
  nextOrd: plain('next_ord'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
  expiresAt: plain('expires_at'),
});
const COLUMNS = RUN.columns.join(', ');
const SAVE_RUN = saveText('bulk_runs', RUN, ['id']);

const ITEM = recordMap<BulkItem>({
  objectId: plain('object_id'),
  ord: plain('ord'),
  isHidden: flag('is_hidden'),
  outcome: plain('outcome'),
  change: json('change'),
});
const ITEM_COLUMNS: readonly TypedColumn[] = [
  ['owner_id', 'text'],
  ['run_id', 'text'],
  ['object_id', 'text'],
  ['ord', 'bigint'],
  ['is_hidden', 'smallint'],
  ['outcome', 'text'],
  ['change', 'text'],
];

const ADD = `insert into bulk_counts (owner_id, run_id, is_hidden, outcome, n)
  values (?, ?, ?, ?, ?)
  on conflict (owner_id, run_id, is_hidden, outcome) do update set n = bulk_counts.n + excluded.n`;

/** Counts each item of an object whose visibility differs from the new one, in the given zone. */
const recount = (isHidden: string, n: string): string =>
  `insert into bulk_counts (owner_id, run_id, is_hidden, outcome, n)
   select owner_id, run_id, ${isHidden}, outcome, ${n} from bulk_items
   where owner_id = ? and object_id = ? and is_hidden <> ?
   on conflict (owner_id, run_id, is_hidden, outcome) do update set n = bulk_counts.n + excluded.n`;

type Row = Record<string, Value>;

export function knexBulkRuns(sql: Sql, { ownerId }: OwnerScope): BulkRunStore {
  return {
    find: async (id) => {
      const row = await sql.get<Row>(
        `select ${COLUMNS} from bulk_runs where owner_id = ? and id = ?`,
        [ownerId, id],
      );
      return row && RUN.from(row);
    },
    save: (run) => sql.enqueueChange(SAVE_RUN, [ownerId, ...RUN.values(run)]),
    unfinished: async (folderIds) => {
      const row = await sql.get<{ n: number }>(
        `select count(*) as n from bulk_runs where owner_id = ? and bound_to = ?
         and state in ('PENDING', 'PROGRESS')`,
        [ownerId, bindingOf(folderIds)],
      );
      return Number(row?.n ?? 0);
    },
    beyond: async ({ folderIds, isBackground }, newest, before, limit) => {
      const of = [ownerId, isBackground ? 1 : 0, bindingOf(folderIds)];
      const rows = await sql.all<Row>(
        `select ${COLUMNS} from bulk_runs
         where owner_id = ? and is_background = ? and bound_to = ? and expires_at > ?
         order by created_at desc, id desc limit ? offset ?`,
        [...of, before, limit, newest],
      );
      return rows.map(RUN.from).reverse();
    },
    items: async (runId, outcome, after, limit) => {
      const rows = await sql.all<Row>(
        `select ${ITEM.columns.join(', ')} from bulk_items
         where owner_id = ? and run_id = ? and outcome = ? and ord > ? order by ord limit ?`,
        [ownerId, runId, outcome, after, limit],
      );
      return rows.map(ITEM.from);
    },
    saveItems: (runId, items) =>
      upsertMany(
        sql,
        'bulk_items',
        ITEM_COLUMNS,
        ['owner_id', 'run_id', 'object_id'],
        items.map((item) => [ownerId, runId, ...ITEM.values(item)]),
      ),
    removeItems: (runId, limit) =>
      sql.run(
        `delete from bulk_items where owner_id = ? and run_id = ? and object_id in (
           select object_id from bulk_items where owner_id = ? and run_id = ? limit ?)`,
        [ownerId, runId, ownerId, runId, limit],
      ),
    counts: async (runId) => {
      const rows = await sql.all<{ is_hidden: number; outcome: string; n: number }>(
        `select is_hidden, outcome, n from bulk_counts
         where owner_id = ? and run_id = ? and n <> 0 order by is_hidden, outcome`,
        [ownerId, runId],
      );
      return rows.map(({ is_hidden, outcome, n }) => ({
        isHidden: is_hidden === 1,
        outcome,
        count: n,
      }));
    },
    addCounts: async (runId, counts) => {
      for (const { isHidden, outcome, count } of counts)
        await sql.enqueueChange(ADD, [ownerId, runId, isHidden ? 1 : 0, outcome, count]);
    },
    remove: async (id) => {
      for (const [table, column] of [
        ['bulk_items', 'run_id'],
        ['bulk_counts', 'run_id'],
        ['bulk_runs', 'id'],
      ] as const)
        await sql.enqueueChange(`delete from ${table} where owner_id = ? and ${column} = ?`, [
          ownerId,
          id,
        ]);
    },
    setObjectVisibility: async (objectId, isHidden) => {
      const to = isHidden ? 1 : 0;
      const of = [ownerId, objectId, to];
      await sql.enqueueChange(recount('is_hidden', '-1'), of);
      await sql.enqueueChange(recount('1 - is_hidden', '1'), of);
      await sql.enqueueChange(
        'update bulk_items set is_hidden = ? where owner_id = ? and object_id = ? and is_hidden <> ?',
        [to, ...of],
      );
    },
    forgetObject: (objectId) =>
      sql.enqueueChange('delete from bulk_items where owner_id = ? and object_id = ?', [
        ownerId,
        objectId,
      ]),
  };
}

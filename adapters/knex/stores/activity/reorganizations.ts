import type {
  PlannedMove,
  PlannedLocation,
  Reorganization,
  ReorganizationStore,
} from '../../../../ports/reorganizations.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { flag, emptyAsNull, plain, recordMap, saveText } from '../../record-mapper.ts';
import { selectByIds, type Sql, type Value } from '../../sql.ts';

const RUN = recordMap<Reorganization>({
  id: plain('id'),
  scope: plain('scope'),
  dryRun: flag('dry_run'),
  state: plain('state'),
  phase: plain('phase'),
  planned: flag('planned'),
  total: plain('total'),
  processed: plain('processed'),
  moved: plain('moved'),
  skipped: plain('skipped'),
  createdFolders: plain('created_folders'),
  createdThemes: plain('created_themes'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const SELECT_RUN = `select ${RUN.columns.join(', ')} from reorganizations where owner_id = ?`;
const SAVE_RUN = saveText('reorganizations', RUN, ['id']);

interface OfRun {
  readonly runId: string;
}

const PLACE = recordMap<PlannedLocation & OfRun>({
  runId: plain('run_id'),
  id: plain('id'),
  kind: plain('kind'),
  name: plain('name'),
  description: plain('description'),
  icon: plain('icon'),
  themeId: emptyAsNull('theme'),
  resolvedId: emptyAsNull('resolved_id'),
});
const SAVE_PLACE = saveText('reorganization_targets', PLACE, ['run_id', 'id']);

const MOVE = recordMap<PlannedMove & OfRun>({
  runId: plain('run_id'),
  objectId: plain('object_id'),
  ord: plain('ord'),
  from: emptyAsNull('from_folder'),
  to: plain('to_folder'),
  state: plain('state'),
  undone: flag('undone'),
});
const SAVE_MOVE = saveText('reorganization_moves', MOVE, ['run_id', 'object_id']);

type Row = Record<string, Value>;

const withoutRun = <T extends OfRun>({ runId: _, ...rest }: T): Omit<T, 'runId'> => rest;

export function knexReorganizations(sql: Sql, { ownerId }: OwnerScope): ReorganizationStore {
  const one = async (condition: string, values: readonly Value[]) => {
    const row = await sql.get<Row>(`${SELECT_RUN} ${condition}`, [ownerId, ...values]);
    return row && RUN.from(row);
  };
  const dropPlan = async (runId: string) => {
    for (const table of ['reorganization_moves', 'reorganization_targets'])
      await sql.enqueueChange(`delete from ${table} where owner_id = ? and run_id = ?`, [
        ownerId,
        runId,
      ]);
  };
  return {
    find: (id) => one('and id = ?', [id]),
    unfinished: () => one("and state in ('PENDING', 'PROGRESS') order by created_at limit 1", []),
    save: (run) => sql.enqueueChange(SAVE_RUN, [ownerId, ...RUN.values(run)]),
    places: async (runId) => {
      const rows = await sql.all<Row>(
        `select ${PLACE.columns.join(', ')} from reorganization_targets
         where owner_id = ? and run_id = ? order by id`,
        [ownerId, runId],
      );
      return rows.map(PLACE.from).map(withoutRun);
    },
    savePlace: (runId, place) =>
      sql.enqueueChange(SAVE_PLACE, [ownerId, ...PLACE.values({ ...place, runId })]),
    moves: async (runId, state, after, limit) => {
      const rows = await sql.all<Row>(
        `select ${MOVE.columns.join(', ')} from reorganization_moves
         where owner_id = ? and run_id = ? and state = ? and ord > ? order by ord limit ?`,
        [ownerId, runId, state, after, limit],
      );
      return rows.map(MOVE.from).map(withoutRun);
    },
    movesOf: async (runId, objectIds) => {
      const rows = await selectByIds<Row>(
        sql,
        (ids) => `select ${MOVE.columns.join(', ')} from reorganization_moves
          where owner_id = ? and run_id = ? and object_id in (${ids})`,
        [ownerId, runId],
        objectIds,
      );
      return rows
        .map(MOVE.from)
        .map(withoutRun)
        .sort((a, b) => a.ord - b.ord);
    },
    page: async ({ limit, offset }) => {
      const rows = await sql.all<Row>(
        `${SELECT_RUN} order by created_at desc, id desc limit ? offset ?`,
        [ownerId, limit, offset],
      );
      const counted = await sql.get<{ n: number }>(
        'select count(*) as n from reorganizations where owner_id = ?',
        [ownerId],
      );
      return { items: rows.map(RUN.from), total: Number(counted?.n ?? 0) };
    },
    saveMove: (runId, move) =>
      sql.enqueueChange(SAVE_MOVE, [ownerId, ...MOVE.values({ ...move, runId })]),
    dropPlan,
    pruneToNewest: async (count) => {
      const rows = await sql.all<{ id: string }>(
        'select id from reorganizations where owner_id = ? order by created_at desc, id desc',
        [ownerId],
      );
      for (const { id } of rows.slice(count)) {
        await dropPlan(id);
        await sql.enqueueChange('delete from reorganizations where owner_id = ? and id = ?', [
          ownerId,
          id,
        ]);
      }
    },
    forgetObject: (objectId) =>
      sql.enqueueChange('delete from reorganization_moves where owner_id = ? and object_id = ?', [
        ownerId,
        objectId,
      ]),
  };
}

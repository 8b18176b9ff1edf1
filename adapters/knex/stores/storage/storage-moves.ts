import type { StorageLocation } from '../../../../ports/blob-locations.ts';
import type {
  MigrationFailure,
  StorageMigration,
  StorageMigrationStore,
} from '../../../../ports/storage-migrations.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { IS_ELSEWHERE } from './placements.ts';
import { flag, plain, recordMap, saveText } from '../../record-mapper.ts';
import { selectByIds, type Sql, type Value } from '../../sql.ts';

const MOVE = recordMap<StorageMigration>({
  id: plain('id'),
  direction: plain('direction'),
  status: plain('status'),
  cancelRequested: flag('cancel_requested'),
  error: plain('error'),
  startedAt: plain('started_at'),
  finishedAt: plain('finished_at'),
});
const FIND = `select ${MOVE.columns.join(', ')} from storage_migrations where owner_id = ?`;
const SAVE = saveText('storage_migrations', MOVE, []);

const FAILURE = recordMap<MigrationFailure>({
  blobId: plain('blob_id'),
  attempts: plain('attempts'),
  isFinal: flag('is_final'),
  reason: plain('reason'),
});
const SELECT_FAILURES = `select ${FAILURE.columns.join(', ')} from storage_migration_failures where owner_id = ?`;
const NOTE = saveText('storage_migration_failures', FAILURE, ['blob_id']);

/** The contents of an object: its versions, and the image of a link. */
const BLOB_REFERENCES = [
  ['versions', 'sha256'],
  ['link_previews', 'image_sha256'],
] as const;

/** Whether the object `o` holds a content `c` of which the condition is true. */
const holds = (condition: string): string =>
  BLOB_REFERENCES.map(
    ([table, hash]) => `exists (
      select 1 from ${table} v join contents c on c.owner_id = v.owner_id and c.sha256 = v.${hash}
      where v.owner_id = o.owner_id and v.object_id = o.id and ${condition})`,
  ).join(' or ');

const FAILED = `exists (select 1 from storage_migration_failures f
  where f.owner_id = c.owner_id and f.blob_id = c.blob_id and f.is_final = 1)`;

const flagged = (condition: string): string => `case when ${condition} then 1 else 0 end`;

/** A range of objects with the state of each. */
const countText = (place: StorageLocation): string => `select max(id) as last, count(*) as looked,
    coalesce(sum(has), 0) as total, coalesce(sum(away), 0) as elsewhere, coalesce(sum(stuck), 0) as failed
  from (select o.id,
      ${flagged(`o.is_hidden <= ? and (${holds('1 = 1')})`)} as has,
      ${flagged(`o.is_hidden <= ? and (${holds(IS_ELSEWHERE[place])})`)} as away,
      ${flagged(`o.is_hidden <= ? and (${holds(`${FAILED} and ${IS_ELSEWHERE[place]}`)})`)} as stuck
    from (select owner_id, id, is_hidden from objects where owner_id = ? and id > ?
      order by id limit ?) o) looked_at`;

interface CountRow {
  readonly last: string | null;
  readonly looked: number | string;
  readonly total: number | string;
  readonly elsewhere: number | string;
  readonly failed: number | string;
}

export function knexStorageMoves(sql: Sql, { ownerId }: OwnerScope): StorageMigrationStore {
  return {
    find: async () => {
      const row = await sql.get<Record<string, Value>>(FIND, [ownerId]);
      return row && MOVE.from(row);
    },
    save: (move) => sql.enqueueChange(SAVE, [ownerId, ...MOVE.values(move)]),
    failures: async (blobIds) => {
      const rows = await selectByIds<Record<string, Value>>(
        sql,
        (placeholders) => `${SELECT_FAILURES} and blob_id in (${placeholders})`,
        [ownerId],
        blobIds,
      );
      return rows.map(FAILURE.from);
    },
    noteFailure: (failure) => sql.enqueueChange(NOTE, [ownerId, ...FAILURE.values(failure)]),
    forgetFailure: (blobId) =>
      sql.enqueueChange(
        'delete from storage_migration_failures where owner_id = ? and blob_id = ?',
        [ownerId, blobId],
      ),
    clearFailures: () =>
      sql.enqueueChange('delete from storage_migration_failures where owner_id = ?', [ownerId]),
    failureCounts: async () => {
      const rows = await sql.all<{ is_final: number; n: number }>(
        'select is_final, count(*) as n from storage_migration_failures where owner_id = ? group by is_final',
        [ownerId],
      );
      const of = (final: number) => Number(rows.find((row) => row.is_final === final)?.n ?? 0);
      return { open: of(0), final: of(1) };
    },
    lastFailure: async () => {
      const row = await sql.get<Record<string, Value>>(
        `${SELECT_FAILURES} and is_final = 1 and reason <> '' order by blob_id desc limit 1`,
        [ownerId],
      );
      return row && FAILURE.from(row);
    },
    count: async (place, { hidden }, after, limit) => {
      const most = hidden ? 1 : 0;
      const values = [most, most, most, ownerId, after ?? '', limit];
      const row = await sql.get<CountRow>(countText(place), values);
      if (!row) throw new Error('Counting has answered nothing.');
      return {
        total: Number(row.total),
        elsewhere: Number(row.elsewhere),
        failed: Number(row.failed),
        next: Number(row.looked) < limit ? null : row.last,
      };
    },
  };
}

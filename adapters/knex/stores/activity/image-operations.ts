import type {
  ImageOperationStore,
  PendingImageOperation,
} from '../../../../ports/image-operations.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { json, plain, recordMap } from '../../record-mapper.ts';
import { placeholders, type Sql, type Value } from '../../sql.ts';

const OPERATION = recordMap<PendingImageOperation>({
  id: plain('id'),
  objectId: plain('object_id'),
  operation: json('operation'),
  state: plain('state'),
  error: plain('error'),
  version: plain('version'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const COLUMNS = OPERATION.columns.join(', ');
const CHANGED = OPERATION.columns.filter((column) => column !== 'id');

/** The queue position is assigned with the first save. Writes of one owner are sequential. */
const SAVE = `insert into image_operations (owner_id, ${COLUMNS}, ended, ord)
  values (?, ${placeholders(OPERATION.columns.length)}, ?,
    (select coalesce(max(ord), 0) + 1 from image_operations where owner_id = ?))
  on conflict (owner_id, id) do update set
  ${[...CHANGED, 'ended'].map((column) => `${column} = excluded.${column}`).join(', ')}`;

const hasEnded = ({ state }: PendingImageOperation): number =>
  state === 'done' || state === 'failed' ? 1 : 0;

const ofHidden = (table: string): string => `exists (select 1 from objects o
  where o.owner_id = ${table}.owner_id and o.id = ${table}.object_id and o.is_hidden = 1)`;

export function knexImageOperations(sql: Sql, { ownerId }: OwnerScope): ImageOperationStore {
  const one = async (rest: string, values: readonly Value[]) => {
    const row = await sql.get<Record<string, Value>>(
      `select ${COLUMNS} from image_operations where owner_id = ? and ${rest}`,
      [ownerId, ...values],
    );
    return row && OPERATION.from(row);
  };
  return {
    find: (id) => one('id = ?', [id]),
    next: (objectId) => one('object_id = ? and ended = 0 order by ord limit 1', [objectId]),
    waiting: async (sight) => {
      const row = await sql.get<{ n: number }>(
        `select count(*) as n from image_operations w where w.owner_id = ? and w.ended = 0
         ${sight === 'visible' ? `and not ${ofHidden('w')}` : ''}`,
        [ownerId],
      );
      return Number(row?.n ?? 0);
    },
    save: (operation) =>
      sql.enqueueChange(SAVE, [
        ownerId,
        ...OPERATION.values(operation),
        hasEnded(operation),
        ownerId,
      ]),
    prune: async (before, keep) => {
      await sql.enqueueChange(
        'delete from image_operations where owner_id = ? and ended = 1 and updated_at < ?',
        [ownerId, before],
      );
      for (const not of ['', 'not'])
        await sql.enqueueChange(
          `delete from image_operations where owner_id = ? and ended = 1
           and ${not} ${ofHidden('image_operations')} and ord <= (
             select w.ord from image_operations w where w.owner_id = ? and w.ended = 1
             and ${not} ${ofHidden('w')} order by w.ord desc limit 1 offset ?)`,
          [ownerId, ownerId, keep],
        );
    },
    forgetObject: (objectId) =>
      sql.enqueueChange('delete from image_operations where owner_id = ? and object_id = ?', [
        ownerId,
        objectId,
      ]),
  };
}

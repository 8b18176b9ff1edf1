import type { ObjectVersion, VersionStore } from '../../../../ports/contents.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { listCounts } from '../../counters.ts';
import { plain, recordMap } from '../../record-mapper.ts';
import { placeholders, type Sql, type Value } from '../../sql.ts';

const VERSION = recordMap<ObjectVersion>({
  objectId: plain('object_id'),
  version: plain('version'),
  kind: plain('kind'),
  mime: plain('mime'),
  format: plain('format'),
  size: plain('size'),
  sha256: plain('sha256'),
  blobId: plain('blob_id'),
  origin: plain('origin'),
  createdAt: plain('created_at'),
});
const COLUMNS = VERSION.columns.join(', ');
const OF_OBJECT = 'from versions where owner_id = ? and object_id = ?';

export function knexVersions(sql: Sql, { ownerId }: OwnerScope): VersionStore {
  const counts = listCounts(sql, ownerId, 'versions');
  const rows = (text: string, values: readonly Value[]) =>
    sql.all<Record<string, Value>>(text, [ownerId, ...values]);
  return {
    add: async (version) => {
      await sql.enqueueChange(
        `insert into versions (owner_id, ${COLUMNS}) values (${placeholders(VERSION.columns.length + 1)})`,
        [ownerId, ...VERSION.values(version)],
      );
      await counts.move([], [version.objectId]);
    },
    find: async (objectId, version) => {
      const [row] = await rows(`select ${COLUMNS} ${OF_OBJECT} and version = ?`, [
        objectId,
        version,
      ]);
      return row && VERSION.from(row);
    },
    page: async (objectId, limit, offset) => {
      const total = await counts.total([objectId]);
      const found = await rows(
        `select ${COLUMNS} ${OF_OBJECT} order by version desc limit ? offset ?`,
        [objectId, limit, offset],
      );
      return { items: found.map(VERSION.from), total };
    },
    removeAll: async (objectId) => {
      const gone = await rows(`delete ${OF_OBJECT} returning ${COLUMNS}`, [objectId]);
      await counts.move(
        gone.map(() => objectId),
        [],
      );
      return gone.map(VERSION.from);
    },
  };
}

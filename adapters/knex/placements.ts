import type { BlobCopy, Place, PlacementStore } from '../../ports/placements.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { plain, recordMap, saveText } from './record.ts';
import type { Sql, Value } from './sql.ts';

export const COPY = recordMap<BlobCopy>({
  storedAs: plain('stored_as'),
  blobId: plain('blob_id'),
  place: plain('place'),
  state: plain('state'),
  createdAt: plain('created_at'),
});
const SAVE = saveText('placements', COPY, ['stored_as']);
const OF_BLOB = `select ${COPY.columns.join(', ')} from placements
  where owner_id = ? and blob_id = ? order by stored_as`;

const UNSETTLED = `select ${COPY.columns.join(', ')} from placements
  where owner_id = ? and state <> 'here' and (state = 'leaving' or stored_as <> blob_id)
  order by created_at, stored_as limit ?`;

/** Whether the bytes of `c` do not lie in the place. What no copy speaks of lies with the service. */
export const IS_ELSEWHERE: Readonly<Record<Place, string>> = {
  own: `not ${inPlace('own')}`,
  service: inPlace('own'),
};

function inPlace(place: Place): string {
  return `exists (select 1 from placements p where p.owner_id = c.owner_id
    and p.blob_id = c.blob_id and p.state = 'here' and p.place = '${place}')`;
}

interface ContentRow {
  readonly sha256: string;
  readonly size: number;
  readonly blob_id: string;
  readonly away: number;
}

export function knexPlacements(sql: Sql, { ownerId }: OwnerScope): PlacementStore {
  return {
    save: (copy) => sql.change(SAVE, [ownerId, ...COPY.values(copy)]),
    copiesOf: async (blobId) => {
      const rows = await sql.all<Record<string, Value>>(OF_BLOB, [ownerId, blobId]);
      return rows.map(COPY.from);
    },
    forget: (storedAs) =>
      sql.change('delete from placements where owner_id = ? and stored_as = ?', [
        ownerId,
        storedAs,
      ]),
    ownCopies: async () =>
      (await sql.get(
        `select 1 as one from placements where owner_id = ? and place = 'own' limit 1`,
        [ownerId],
      )) !== undefined,
    elsewhere: async (place, after, limit) => {
      const rows = await sql.all<ContentRow>(
        `select c.sha256, c.size, c.blob_id, case when ${IS_ELSEWHERE[place]} then 1 else 0 end as away
         from contents c where c.owner_id = ? and c.sha256 > ? order by c.sha256 limit ?`,
        [ownerId, after ?? '', limit],
      );
      return {
        contents: rows
          .filter(({ away }) => away === 1)
          .map(({ sha256, size, blob_id: blobId }) => ({ sha256, size, blobId })),
        next: rows.length < limit ? null : (rows.at(-1)?.sha256 ?? null),
      };
    },
    unsettled: async (limit) => {
      const rows = await sql.all<Record<string, Value>>(UNSETTLED, [ownerId, limit]);
      return rows.map(COPY.from);
    },
  };
}

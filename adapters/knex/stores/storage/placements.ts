import type {
  BlobCopy,
  CopyLocation,
  StorageLocation,
  BlobLocationStore,
} from '../../../../ports/blob-locations.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

export const COPY = recordMap<BlobCopy>({
  copyId: plain('copy_id'),
  blobId: plain('blob_id'),
  location: plain('location'),
  state: plain('state'),
  createdAt: plain('created_at'),
});
const SAVE = saveText('blob_locations', COPY, ['copy_id']);
const OF_BLOB = `select ${COPY.columns.join(', ')} from blob_locations
  where owner_id = ? and blob_id = ? order by copy_id`;

const UNSETTLED = `select ${COPY.columns.join(', ')} from blob_locations
  where owner_id = ? and state <> 'current' and (state = 'deleting' or copy_id <> blob_id)
  order by created_at, copy_id limit ?`;

/**
 * Whether the bytes of `c` are missing at the location. Without a recorded copy they are in the service's own storage.
 */
export const IS_ELSEWHERE: Readonly<Record<StorageLocation, string>> = {
  own: `not ${readFrom("= 'own'")}`,
  service: readFrom("<> 'service'"),
};

function readFrom(place: string): string {
  return `exists (select 1 from blob_locations p where p.owner_id = c.owner_id
    and p.blob_id = c.blob_id and p.state = 'current' and p.location ${place})`;
}

const STRETCH = `select owner_id, id, is_hidden from objects where owner_id = ? and id > ?
  order by id limit ?`;
const LAST_OF_STRETCH = `select max(id) as last, count(*) as looked from (${STRETCH}) s`;
const inSight = (place: StorageLocation): string => `with stretch as (${STRETCH})
  select c.sha256, c.size, c.blob_id from contents c
  where c.owner_id = ? and ${IS_ELSEWHERE[place]} and c.sha256 in (
    select v.sha256 from stretch o join versions v on v.owner_id = o.owner_id and v.object_id = o.id
      where o.is_hidden = 0
    union select l.image_sha256 from stretch o
      join link_previews l on l.owner_id = o.owner_id and l.object_id = o.id
      where o.is_hidden = 0 and l.image_sha256 is not null)
  order by c.sha256`;

const CONTENTS_IN = `select c.sha256, c.size, c.blob_id
  from blob_locations p join contents c on c.owner_id = p.owner_id and c.blob_id = p.blob_id
  where p.owner_id = ? and p.location = ? and p.state = 'current' order by c.sha256 limit ?`;

interface ContentRow {
  readonly sha256: string;
  readonly size: number;
  readonly blob_id: string;
  readonly away: number;
}

const toContent = ({ sha256, size, blob_id: blobId }: Omit<ContentRow, 'away'>) => ({
  sha256,
  size,
  blobId,
});

export function knexPlacements(sql: Sql, { ownerId }: OwnerScope): BlobLocationStore {
  const hasCopies = async (place: CopyLocation): Promise<boolean> =>
    (await sql.get(
      'select 1 as one from blob_locations where owner_id = ? and location = ? limit 1',
      [ownerId, place],
    )) !== undefined;
  return {
    save: (copy) => sql.enqueueChange(SAVE, [ownerId, ...COPY.values(copy)]),
    copiesOf: async (blobId) => {
      const rows = await sql.all<Record<string, Value>>(OF_BLOB, [ownerId, blobId]);
      return rows.map(COPY.from);
    },
    forget: (storedAs) =>
      sql.enqueueChange('delete from blob_locations where owner_id = ? and copy_id = ?', [
        ownerId,
        storedAs,
      ]),
    hasOwnerCopies: () => hasCopies('own'),
    hasCopies,
    relocate: (from, to) =>
      sql.enqueueChange(
        'update blob_locations set location = ? where owner_id = ? and location = ?',
        [to, ownerId, from],
      ),
    contentsIn: async (place, limit) => {
      const rows = await sql.all<Omit<ContentRow, 'away'>>(CONTENTS_IN, [ownerId, place, limit]);
      return rows.map(toContent);
    },
    misplacedContents: async (place, after, limit) => {
      const rows = await sql.all<ContentRow>(
        `select c.sha256, c.size, c.blob_id, case when ${IS_ELSEWHERE[place]} then 1 else 0 end as away
         from contents c where c.owner_id = ? and c.sha256 > ? order by c.sha256 limit ?`,
        [ownerId, after ?? '', limit],
      );
      return {
        contents: rows.filter(({ away }) => away === 1).map(toContent),
        next: rows.length < limit ? null : (rows.at(-1)?.sha256 ?? null),
      };
    },
    misplacedVisibleContents: async (place, after, limit) => {
      const stretch = [ownerId, after ?? '', limit];
      const rows = await sql.all<Omit<ContentRow, 'away'>>(inSight(place), [...stretch, ownerId]);
      const end = await sql.get<{ last: string | null; looked: number | string }>(
        LAST_OF_STRETCH,
        stretch,
      );
      return {
        contents: rows.map(toContent),
        next: Number(end?.looked ?? 0) < limit ? null : (end?.last ?? null),
      };
    },
    incompleteCopies: async (limit) => {
      const rows = await sql.all<Record<string, Value>>(UNSETTLED, [ownerId, limit]);
      return rows.map(COPY.from);
    },
  };
}

import type { ContentStore } from '../../../../ports/contents.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { selectByIds, type Sql } from '../../sql.ts';

interface Row {
  readonly size: number;
  readonly blob_id: string;
  readonly refs: number;
}

export function knexContents(sql: Sql, { ownerId }: OwnerScope): ContentStore {
  // A running total beside the rows: every upload reads it.
  const use = (bytes: number) =>
    sql.run(
      `insert into owner_usage (owner_id, bytes) values (?, ?)
       on conflict (owner_id) do update set bytes = owner_usage.bytes + excluded.bytes`,
      [ownerId, bytes],
    );
  return {
    retain: async ({ sha256, size, blobId }) => {
      const [row] = await sql.all<Row>(
        `insert into contents (owner_id, sha256, size, blob_id, refs) values (?, ?, ?, ?, 1)
         on conflict (owner_id, sha256) do update set refs = contents.refs + 1
         returning size, blob_id, refs`,
        [ownerId, sha256, size, blobId],
      );
      if (!row) throw new Error('A content was neither stored nor found.');
      if (row.refs === 1) await use(row.size);
      return { sha256, size: row.size, blobId: row.blob_id };
    },
    release: async (sha256) => {
      const [row] = await sql.all<Row>(
        `update contents set refs = refs - 1 where owner_id = ? and sha256 = ?
         returning size, blob_id, refs`,
        [ownerId, sha256],
      );
      if (!row || row.refs > 0) return undefined;
      await sql.enqueueChange('delete from contents where owner_id = ? and sha256 = ?', [
        ownerId,
        sha256,
      ]);
      await use(-row.size);
      return row.blob_id;
    },
    find: async (sha256) => {
      const row = await sql.get<{ size: number; blob_id: string }>(
        'select size, blob_id from contents where owner_id = ? and sha256 = ?',
        [ownerId, sha256],
      );
      return row && { sha256, size: row.size, blobId: row.blob_id };
    },
    retained: async (hashes) => {
      const rows = await selectByIds<{ sha256: string }>(
        sql,
        (placeholders) =>
          `select sha256 from contents where owner_id = ? and sha256 in (${placeholders})`,
        [ownerId],
        hashes,
      );
      return new Set(rows.map(({ sha256 }) => sha256));
    },
    usedBytes: async () => {
      const row = await sql.get<{ bytes: number }>(
        `select cast(coalesce((select bytes from owner_usage where owner_id = ?), 0)
           + coalesce((${correctedBytes}), 0) as bigint) as bytes`,
        [ownerId, ownerId],
      );
      return row?.bytes ?? 0;
    },
    // Each version holds one reference. If hidden objects hold all references, no visible object has the bytes.
    hiddenBytes: async () => {
      const row = await sql.get<{ bytes: number }>(
        `select cast(coalesce(sum(contents.size), 0)
           + coalesce((${correctedBytesOfHidden}), 0) as bigint) as bytes
         from (select held.sha256, count(*) as n from (
                 ${heldByHidden('versions', 'sha256')}
                 union all ${heldByHidden('link_previews', 'image_sha256')}) held
               group by held.sha256) hidden
         join contents on contents.owner_id = ? and contents.sha256 = hidden.sha256
         where contents.refs = hidden.n`,
        [ownerId, ownerId, ownerId, ownerId],
      );
      return row?.bytes ?? 0;
    },
  };
}

/** Both databases know the length of a stored text without reading it, so the few corrections are summed up when needed. */
const correctedBytes =
  'select sum(octet_length(t.text)) from text_corrections t where t.owner_id = ?';

const correctedBytesOfHidden = `select sum(octet_length(t.text)) from objects join text_corrections t
   on t.owner_id = objects.owner_id and t.object_id = objects.id
   where objects.owner_id = ? and objects.trashed in (0, 1) and objects.is_hidden = 1`;

/** The references that rows of hidden objects hold. */
const heldByHidden = (table: string, sha256: string): string =>
  `select t.${sha256} as sha256 from objects join ${table} t
     on t.owner_id = objects.owner_id and t.object_id = objects.id and t.${sha256} is not null
   where objects.owner_id = ? and objects.trashed in (0, 1) and objects.is_hidden = 1`;

import type { ContentStore } from '../../ports/contents.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { lookUp, type Sql } from './sql.ts';

interface Row {
  readonly size: number;
  readonly blob_id: string;
  readonly refs: number;
}

export function knexContents(sql: Sql, { ownerId }: OwnerScope): ContentStore {
  // A running sum beside the rows: every upload asks for it.
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
      await sql.run('delete from contents where owner_id = ? and sha256 = ?', [ownerId, sha256]);
      await use(-row.size);
      return row.blob_id;
    },
    held: async (hashes) => {
      const rows = await lookUp<{ sha256: string }>(
        sql,
        (marks) => `select sha256 from contents where owner_id = ? and sha256 in (${marks})`,
        [ownerId],
        hashes,
      );
      return new Set(rows.map(({ sha256 }) => sha256));
    },
    usedBytes: async () => {
      const row = await sql.get<{ bytes: number }>(
        'select bytes from owner_usage where owner_id = ?',
        [ownerId],
      );
      return row?.bytes ?? 0;
    },
  };
}

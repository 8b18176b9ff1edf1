import type { BlobHolds } from '../../../ports/blob-holds.ts';
import type { Database } from '../database.ts';

const TURN = 'blob-holds';

export function knexBlobHolds({ look, write }: Database): BlobHolds {
  return {
    take: (id, until) =>
      write(TURN, async (sql) => {
        await sql.run('insert into deletion_holds (id, held_until) values (?, ?)', [id, until]);
      }),
    prolong: (id, now, until) =>
      write(TURN, async (sql) => {
        const changed = await sql.run(
          'update deletion_holds set held_until = ? where id = ? and held_until > ?',
          [until, id, now],
        );
        return changed > 0;
      }),
    letGo: (id, now) =>
      write(TURN, async (sql) => {
        await sql.run('delete from deletion_holds where id = ? or held_until <= ?', [id, now]);
      }),
    areHeld: async (now) => {
      const row = await look((sql) =>
        sql.get('select 1 as one from deletion_holds where held_until > ? limit 1', [now]),
      );
      return row !== undefined;
    },
  };
}

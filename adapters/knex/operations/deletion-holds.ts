import type { DeletionHolds } from '../../../ports/deletion-holds.ts';
import type { Database } from '../database.ts';

const LOCK_KEY = 'blob-holds';

export function knexDeletionHolds({ queryOnce, write }: Database): DeletionHolds {
  return {
    acquire: (id, until) =>
      write(LOCK_KEY, async (sql) => {
        await sql.run('insert into deletion_holds (id, held_until) values (?, ?)', [id, until]);
      }),
    renew: (id, now, until) =>
      write(LOCK_KEY, async (sql) => {
        const changed = await sql.run(
          'update deletion_holds set held_until = ? where id = ? and held_until > ?',
          [until, id, now],
        );
        return changed > 0;
      }),
    release: (id, now) =>
      write(LOCK_KEY, async (sql) => {
        await sql.run('delete from deletion_holds where id = ? or held_until <= ?', [id, now]);
      }),
    anyActive: async (now) => {
      const row = await queryOnce((sql) =>
        sql.get('select 1 as one from deletion_holds where held_until > ? limit 1', [now]),
      );
      return row !== undefined;
    },
  };
}

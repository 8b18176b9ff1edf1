import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import type { UsageStore } from '../../../../ports/usage.ts';
import type { Sql } from '../../sql.ts';

interface Row {
  readonly n: number;
}

export function knexUsage(sql: Sql, { ownerId }: OwnerScope): UsageStore {
  return {
    add: async (metric, month, count) => {
      const [row] = await sql.all<Row>(
        `insert into monthly_usage (owner_id, month, metric, n) values (?, ?, ?, ?)
         on conflict (owner_id, month, metric) do update set n = monthly_usage.n + excluded.n
         returning n`,
        [ownerId, month, metric, count],
      );
      if (!row) throw new Error('A use was not counted.');
      return row.n;
    },
    used: async (metric, month) => {
      const row = await sql.get<Row>(
        'select n from monthly_usage where owner_id = ? and month = ? and metric = ?',
        [ownerId, month, metric],
      );
      return row?.n ?? 0;
    },
  };
}

import type { InstallationCounts } from '../../../ports/installation.ts';
import type { Database } from '../database.ts';

const QUEUES = `select kind,
    sum(case when state = 'waiting' then 1 else 0 end) as waiting,
    sum(case when state = 'running' then 1 else 0 end) as running,
    sum(case when state = 'failed' then 1 else 0 end) as failed,
    min(case when state = 'waiting' then due_at end) as oldest_due_at
  from tasks t
  where not exists (select 1 from objects o
    where o.owner_id = t.owner_id and o.id = t.subject and o.is_hidden = 1)
  group by kind order by kind`;

const VISIBLE_FILES =
  'select count(*) as files, coalesce(sum(size), 0) as bytes from objects where is_hidden = 0';

interface QueueRow {
  readonly kind: string;
  readonly waiting: number | string;
  readonly running: number | string;
  readonly failed: number | string;
  readonly oldest_due_at: number | string | null;
}

export function knexInstallationCounts({ queryOnce }: Database): InstallationCounts {
  return {
    queues: async () => {
      const rows = await queryOnce((sql) => sql.all<QueueRow>(QUEUES));
      // Sums of Postgres are `numeric`, which its client returns as text.
      return rows.map(({ kind, waiting, running, failed, oldest_due_at: due }) => ({
        kind,
        waiting: Number(waiting),
        running: Number(running),
        failed: Number(failed),
        oldestDueAt: due === null ? null : Number(due),
      }));
    },
    visibleFiles: async () => {
      const row = await queryOnce((sql) =>
        sql.get<{ files: number | string; bytes: number | string }>(VISIBLE_FILES),
      );
      return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
    },
  };
}

import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';

/**
 * Releases all claims on tasks and on idempotency keys. Only for a process that uses its data exclusively: when it
 * starts, the processes that held the claims are dead.
 */
export async function expireLeases(database: Database): Promise<void> {
  await database.write('', expireLeasesIn);
}

export async function expireLeasesIn(sql: Sql): Promise<void> {
  await sql.run("update tasks set lease_until = 0, claimable_at = 0 where state = 'running'");
  await sql.run('delete from idempotency_records where response is null');
}

import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';

/**
 * Ends every claim on a task and on an idempotency key. For a process that is alone on its data: whoever held a claim
 * when it starts is dead, and need not be waited for.
 */
export async function expireLeases(database: Database): Promise<void> {
  await database.write('', expireLeasesIn);
}

export async function expireLeasesIn(sql: Sql): Promise<void> {
  await sql.run("update tasks set lease_until = 0, claimable_at = 0 where state = 'running'");
  await sql.run('delete from idempotency_records where response is null');
}

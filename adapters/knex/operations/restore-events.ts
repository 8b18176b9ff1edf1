import type { EndedAccess, RestoreClosing } from '../../../ports/backup.ts';
import type { Sql } from '../sql.ts';
import { knexSecurityEvents } from '../stores/account/security-events.ts';

const OWNERS_AT_ONCE = 500;

/** Appends the event of the restore to the chain of every owner, and one for a token that was issued. */
export async function recordRestore(
  sql: Sql,
  { restoredEvent, tokenEvent }: Omit<RestoreClosing, 'reset'>,
  issued: EndedAccess['issued'] = [],
): Promise<void> {
  const tokenOf = new Map(issued.map(({ ownerId, tokenId }) => [ownerId, tokenId]));
  for (let after = ''; ;) {
    const owners = await sql.all<{ id: string; tenant_id: string }>(
      'select id, tenant_id from owners where id > ? order by id limit ?',
      [after, OWNERS_AT_ONCE],
    );
    for (const { id: ownerId, tenant_id: tenantId } of owners) {
      const events = knexSecurityEvents(sql, { tenantId, ownerId });
      const restored = restoredEvent(await events.last());
      await events.append(restored);
      const tokenId = tokenOf.get(ownerId);
      if (tokenId !== undefined) await events.append(tokenEvent(restored, tokenId));
    }
    const last = owners.at(-1);
    if (!last || owners.length < OWNERS_AT_ONCE) return;
    after = last.id;
  }
}

import type { AccessReset, EndedAccess } from '../../../ports/backup.ts';
import type { Sql } from '../sql.ts';
import { knexTokens } from '../stores/account/tokens.ts';

/** A digest made of owner and share, so that it is unique. It never equals a SHA-256 in hex, so no link matches it. */
const ENDED_DIGEST = "'ended by restore ' || owner_id || ' ' || id";

/** Revokes all access in the rows of a backup, and adds a token for each of the first owners. */
export async function resetAccess(sql: Sql, reset: AccessReset): Promise<EndedAccess> {
  const { at, maxTokens } = reset;
  const tokens = await sql.run('delete from tokens');
  await sql.run("delete from list_counts where list = 'tokens'");
  const shares = await sql.run(
    `update shares set digest = ${ENDED_DIGEST}, updated_at = ?,
       expires_at = case when expires_at < ? then expires_at else ? end`,
    [at, at, at],
  );
  const feeds = await sql.run('update calendars set feed = null where feed is not null');
  const bots = await sql.all<{ owner_id: string; id: string }>('select owner_id, id from bots');
  for (const bot of bots)
    await sql.run('update bots set link_code = ? where owner_id = ? and id = ?', [
      reset.newLinkCode(),
      bot.owner_id,
      bot.id,
    ]);
  const counted = await sql.get<{ n: number }>('select count(*) as n from owners');
  const owners = await sql.all<{ id: string; tenant_id: string; name: string }>(
    'select id, tenant_id, name from owners order by created_at, id limit ?',
    [maxTokens],
  );
  const issued: { readonly ownerId: string; readonly name: string; readonly tokenId: string }[] =
    [];
  for (const { id: ownerId, tenant_id: tenantId, name } of owners) {
    const token = reset.newToken();
    if (!(await knexTokens(sql, { tenantId, ownerId }).add(token)))
      throw new Error('The prefix of a new token is taken.');
    issued.push({ ownerId, name, tokenId: token.id });
  }
  return { tokens, shares, feeds, linkCodes: bots.length, owners: Number(counted?.n ?? 0), issued };
}

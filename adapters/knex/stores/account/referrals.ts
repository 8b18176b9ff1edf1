import type { ReferralStore } from '../../../../ports/referrals.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import type { Sql } from '../../sql.ts';

const KEEP = `insert into referral_codes (owner_id, code) values (?, ?)
  on conflict (owner_id) do nothing`;
const APPLY = `insert into referral_applications (owner_id, referrer_id, applied_at) values (?, ?, ?)
  on conflict (owner_id) do nothing`;
const CREDIT = `insert into referral_credits (owner_id, invited_id, credited_at) values (?, ?, ?)
  on conflict (owner_id, invited_id) do nothing`;

export function knexReferrals(sql: Sql, { ownerId }: OwnerScope): ReferralStore {
  return {
    code: async () => {
      const row = await sql.get<{ code: string }>(
        'select code from referral_codes where owner_id = ?',
        [ownerId],
      );
      return row?.code;
    },
    saveCode: async (code) => (await sql.run(KEEP, [ownerId, code])) > 0,
    applied: async () => {
      const row = await sql.get<{ referrer_id: string; applied_at: number }>(
        'select referrer_id, applied_at from referral_applications where owner_id = ?',
        [ownerId],
      );
      return row && { referrerId: row.referrer_id, appliedAt: row.applied_at };
    },
    apply: async ({ referrerId, appliedAt }) =>
      (await sql.run(APPLY, [ownerId, referrerId, appliedAt])) > 0,
    credit: async ({ invitedId, creditedAt }) =>
      (await sql.run(CREDIT, [ownerId, invitedId, creditedAt])) > 0,
    invited: async () => {
      const row = await sql.get<{ n: number }>(
        'select count(*) as n from referral_credits where owner_id = ?',
        [ownerId],
      );
      return row?.n ?? 0;
    },
  };
}

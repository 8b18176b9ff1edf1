import type { Migration } from './migration.ts';

/** The code of an owner, the one code an owner has applied, and who was credited for a code. */
export const referrals: Migration = {
  version: 12,
  name: 'referrals',
  up: async (knex, { text, int, small }) => {
    await knex.raw(`create table referral_codes (
      owner_id ${text} not null primary key,
      code ${text} not null
    )${small}`);
    await knex.raw('create unique index referral_codes_by_code on referral_codes (code)');
    await knex.raw(`create table referral_applications (
      owner_id ${text} not null primary key,
      referrer_id ${text} not null,
      applied_at ${int} not null
    )${small}`);
    await knex.raw(`create table referral_credits (
      owner_id ${text} not null,
      invited_id ${text} not null,
      credited_at ${int} not null,
      primary key (owner_id, invited_id)
    )${small}`);
  },
};

import type { DialectTypes } from '../migration.ts';

/** Counters of lists and of an owner's usage, and referrals. */
export const usageTables = ({ text, int, clustered }: DialectTypes) => [
  `create table list_counts (
    owner_id ${text} not null,
    list ${text} not null,
    part ${text} not null,
    n ${int} not null,
    primary key (owner_id, list, part)
  )${clustered}`,
  `create table owner_usage (
    owner_id ${text} not null primary key,
    bytes ${int} not null
  )${clustered}`,
  // `month` is the time at which the month begins.
  `create table monthly_usage (
    owner_id ${text} not null,
    month ${int} not null,
    metric ${text} not null,
    n ${int} not null,
    primary key (owner_id, month, metric)
  )${clustered}`,
  `create table referral_codes (
    owner_id ${text} not null primary key,
    code ${text} not null
  )${clustered}`,
  'create unique index referral_codes_by_code on referral_codes (code)',
  `create table referral_applications (
    owner_id ${text} not null primary key,
    referrer_id ${text} not null,
    applied_at ${int} not null
  )${clustered}`,
  `create table referral_credits (
    owner_id ${text} not null,
    invited_id ${text} not null,
    credited_at ${int} not null,
    primary key (owner_id, invited_id)
  )${clustered}`,
];

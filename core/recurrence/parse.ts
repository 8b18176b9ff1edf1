import { ascending, type PartName, type Parts, PARSERS, RuleError, invalidRule } from './parts.ts';
import type { Rule } from './rule.ts';

/** Maximum length of a rule from a client. */
export const MAX_RULE_LENGTH = 500;
const MAX_TIMES_PER_DAY = 96;
/** Number of parsed rules that are cached, if they are not unusually long. */
const MAX_CACHED_RULES = 10_000;
const MAX_CACHED_RULE_LENGTH = 120;

export type ParsedRule = { readonly rule: Rule } | { readonly reason: string };

const remembered = new Map<string, ParsedRule>();

/**
 * Parses an RRULE value without "RRULE:", in any letter case. The reason of a rejection is a sentence that names the
 * part. `longest` is for stored rules, which grow by an UNTIL when a series is split.
 */
export function parseRule(text: string, longest: number = MAX_RULE_LENGTH): ParsedRule {
  if (text.length > longest) return { reason: `The rule is longer than ${longest} characters.` };
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const parsed = read(text);
  if (text.length > MAX_CACHED_RULE_LENGTH) return parsed;
  for (const oldest of remembered.keys()) {
    if (remembered.size < MAX_CACHED_RULES) break;
    remembered.delete(oldest);
  }
  remembered.set(text, parsed);
  return parsed;
}

function read(text: string): ParsedRule {
  try {
    const parts = partsOf(text);
    const rule = ruleOf(parts);
    checkTogether(rule);
    return { rule };
  } catch (error) {
    if (error instanceof RuleError) return { reason: error.message };
    throw error;
  }
}

function partsOf(text: string): Parts {
  if (!/^[!-~]+$/.test(text))
    invalidRule('FREQ is missing: a rule is written as FREQ=…;… without spaces.');
  const upper = text.toUpperCase();
  if (upper.startsWith('RRULE:'))
    invalidRule('RRULE: does not belong to the rule; begin with FREQ=.');
  const parts = new Map<PartName, unknown>();
  for (const part of upper.split(';')) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
    if (!isPartName(name))
      return invalidRule(
        `${JSON.stringify(name === '' ? part.slice(0, 40) : name.slice(0, 40))} is no part of a recurrence rule.`,
      );
    if (parts.has(name)) invalidRule(`${name} is given more than once.`);
    parts.set(name, PARSERS[name](value));
  }
  return Object.fromEntries(parts);
}

const isPartName = (name: string): name is PartName => Object.hasOwn(PARSERS, name);

function ruleOf(parts: Parts): Rule {
  return {
    freq: parts.FREQ ?? invalidRule('FREQ is missing.'),
    interval: parts.INTERVAL ?? 1,
    count: parts.COUNT ?? null,
    until: parts.UNTIL ?? null,
    byMonth: parts.BYMONTH ?? [],
    byWeekNo: parts.BYWEEKNO ?? [],
    byYearDay: parts.BYYEARDAY ?? [],
    byMonthDay: parts.BYMONTHDAY ?? [],
    byDay: parts.BYDAY ?? [],
    byHour: parts.BYHOUR ?? [],
    byMinute: parts.BYMINUTE ?? [],
    // Without leap seconds, second 60 is read as 59 (RFC 5545 §3.3.12).
    bySecond: ascending((parts.BYSECOND ?? []).map((second) => Math.min(second, 59))),
    bySetPos: parts.BYSETPOS ?? [],
    weekStart: parts.WKST ?? 0,
  };
}

/** Combinations that the RFC forbids although each part is valid, and rules that would be too expensive. */
function checkTogether(rule: Rule): void {
  const { freq } = rule;
  if (rule.count !== null && rule.until !== null)
    invalidRule('COUNT and UNTIL exclude each other.');
  if (rule.byWeekNo.length > 0 && freq !== 'YEARLY')
    invalidRule(`BYWEEKNO is not allowed with FREQ=${freq}, only with YEARLY.`);
  if (rule.byYearDay.length > 0 && (freq === 'MONTHLY' || freq === 'WEEKLY' || freq === 'DAILY'))
    invalidRule(`BYYEARDAY is not allowed with FREQ=${freq}.`);
  if (rule.byMonthDay.length > 0 && freq === 'WEEKLY')
    invalidRule('BYMONTHDAY is not allowed with FREQ=WEEKLY.');
  if (rule.byDay.some(({ nth }) => nth !== 0)) {
    if (freq !== 'MONTHLY' && freq !== 'YEARLY')
      invalidRule(
        `BYDAY with a number is not allowed with FREQ=${freq}, only with MONTHLY and YEARLY.`,
      );
    if (rule.byWeekNo.length > 0)
      invalidRule('BYDAY with a number is not allowed together with BYWEEKNO.');
  }
  if (rule.bySetPos.length > 0 && !BY_PARTS.some((part) => rule[part].length > 0))
    invalidRule('BYSETPOS needs another BY part to choose from.');
  if (timesADay(rule) > MAX_TIMES_PER_DAY)
    invalidRule(`BYHOUR, BYMINUTE and BYSECOND give more than ${MAX_TIMES_PER_DAY} times a day.`);
}

const BY_PARTS = [
  ...(['byMonth', 'byWeekNo', 'byYearDay', 'byMonthDay', 'byDay'] as const),
  ...(['byHour', 'byMinute', 'bySecond'] as const),
];

/** The maximum number of times per day that the rule can have. */
function timesADay({ freq, interval, byHour, byMinute, bySecond }: Rule): number {
  const steps = freq === 'HOURLY' ? Math.ceil(24 / interval) : byHour.length || 1;
  const hours = byHour.length > 0 ? Math.min(steps, byHour.length) : steps;
  return hours * (byMinute.length || 1) * (bySecond.length || 1);
}

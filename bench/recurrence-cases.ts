import fc from 'fast-check';
import { series } from '../contract-tests/core/recurrence-rules.ts';
import { formatRule, occurrences, type Rule } from '../core/recurrence/index.ts';
import type { TimeZones } from '../ports/time-zones.ts';

/** A series as text, with the local times or instants that the engine finds before `end`. */
export interface Case {
  readonly rule: string;
  /** Local times as 2024-02-29T12:00:00. */
  readonly start: string;
  readonly end: string;
  readonly tz: string;
  readonly parsed: Rule;
  readonly readings: readonly string[];
  readonly instants: readonly string[];
  /** Some of its local times, or of those its set positions select from, are in a gap. */
  readonly skips: boolean;
}

export type Expanded = { readonly found: readonly string[] } | { readonly failure: string };

const DAY = 86_400_000;
const HORIZON: Record<Rule['freq'], number> = {
  YEARLY: 15 * 366 * DAY,
  MONTHLY: 5 * 366 * DAY,
  WEEKLY: 2 * 366 * DAY,
  DAILY: 366 * DAY,
  HOURLY: 40 * DAY,
};
export const written = (time: number): string => new Date(time).toISOString().slice(0, 19);

/** The times are instants. */
export const NO_CLOCKS: TimeZones = {
  isKnown: () => true,
  toLocal: (_, instant) => instant,
  toInstant: (_, local) => local,
  version: () => '',
};

/** This many series, the same for the same seed. Half of them have a COUNT. */
export function casesOf(zones: TimeZones, count: number, seed: number): readonly Case[] {
  const counted = fc.tuple(series, fc.option(fc.integer({ min: 1, max: 50 }), { nil: null }));
  return fc.sample(counted, { numRuns: count, seed }).map(([it, count]) => {
    const parsed: Rule = { ...it.rule, count };
    const end = it.start + HORIZON[parsed.freq];
    const before = zones.toInstant(it.tz, end);
    const found = [
      ...occurrences(zones, { ...it, allDay: false, rule: parsed }, -Infinity, before),
    ];
    const whole = { ...it, allDay: false, rule: { ...it.rule, bySetPos: [] } };
    const plain = [...occurrences(NO_CLOCKS, whole, -Infinity, end)];
    return {
      ...{
        rule: formatRule(parsed),
        start: written(it.start),
        end: written(end),
        tz: it.tz,
        parsed,
      },
      readings: found.map(({ local }) => written(local)),
      skips: plain.some(
        ({ local }) => zones.toLocal(it.tz, zones.toInstant(it.tz, local)) !== local,
      ),
      instants: found.map(({ at }) => written(at)),
    };
  });
}

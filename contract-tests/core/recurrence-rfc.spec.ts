import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { intlTimeZones } from '../../adapters/node/time-zones.ts';
import { boundsOf, occurrences, parseRule, type Recurrence } from '../../core/recurrence/index.ts';

/** An example of the RFC, or one derived from it, with its occurrences in a half-open window. */
interface Case {
  readonly id: string;
  readonly name: string;
  readonly dtstart: string;
  readonly tz: string;
  readonly rrule: string;
  readonly exdates: readonly string[];
  /** The expected occurrences are complete. */
  readonly complete: boolean;
  readonly window_from: string;
  readonly window_to: string;
  readonly expected: readonly string[];
}

const SAMPLES = join(import.meta.dirname, '../samples/rfc5545.json');
const cases = JSON.parse(readFileSync(SAMPLES, 'utf8')) as readonly Case[];

/** MINUTELY is not supported; its examples are expressed by other rules. */
const SAID_OTHERWISE: Readonly<Record<string, string>> = {
  'FREQ=MINUTELY;INTERVAL=15;COUNT=6': 'FREQ=HOURLY;BYMINUTE=0,15,30,45;COUNT=6',
  'FREQ=MINUTELY;INTERVAL=90;COUNT=4':
    'FREQ=DAILY;BYHOUR=9,10,12,13;BYMINUTE=0,30;BYSETPOS=1,4,5,8;COUNT=4',
  'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16':
    'FREQ=HOURLY;BYMINUTE=0,20,40;BYHOUR=9,10,11,12,13,14,15,16',
};

const reading = (text: string): number =>
  Date.parse(text.replace(/(....)(..)(..)T(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'));
const written = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`;

describe('the examples of RFC 5545', () => {
  const zones = intlTimeZones();

  it('number 47', () => expect(cases).to.have.length(47));

  for (const it_ of cases)
    it(`${it_.id}: ${it_.name} (${it_.rrule})`, () => {
      const otherwise = SAID_OTHERWISE[it_.rrule];
      if (otherwise !== undefined)
        expect(parseRule(it_.rrule)).to.have.property('reason').that.includes('FREQ=MINUTELY');
      const parsed = parseRule(otherwise ?? it_.rrule);
      if (!('rule' in parsed)) throw new Error(parsed.reason);
      const start = reading(it_.dtstart);
      const r: Recurrence = { rule: parsed.rule, start, tz: it_.tz, allDay: false };
      const [from, to] = [Date.parse(it_.window_from), Date.parse(it_.window_to)];
      const left = new Set(it_.exdates.map(reading));

      const found = [...occurrences(zones, r, from, to)].filter(({ local }) => !left.has(local));
      expect(found.map(({ at }) => written(at))).to.deep.equal(it_.expected);

      const bounds = boundsOf(zones, r);
      expect(bounds?.last ?? null).to.equal(it_.complete ? found.at(-1)!.local : null);
      // If its last occurrence is known, a rule is not evaluated from its start, with the same result.
      const known = { ...r, last: bounds!.last };
      const middle = found[Math.floor(found.length / 2)]!.at;
      expect([...occurrences(zones, known, middle, to)]).to.deep.equal(
        [...occurrences(zones, r, from, to)].filter(({ at }) => at >= middle),
      );
    });
});

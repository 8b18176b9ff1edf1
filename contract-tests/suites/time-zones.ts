import { expect } from 'chai';
import fc from 'fast-check';
import type { TimeZones } from '../../ports/time-zones.ts';

const HOUR = 3_600_000;
const utc = (text: string) => Date.parse(`${text}Z`);
const shown = (local: number) => new Date(local).toISOString().slice(0, 19);

const ZONES = [
  'UTC',
  'Asia/Kolkata',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
] as const;

/** The contract of every TimeZones. */
export function timeZonesContract(open: () => TimeZones): void {
  const zones = open();
  const moment = fc
    .integer({ min: utc('2009-01-01T00:00:00') / 1000, max: utc('2099-01-01T00:00:00') / 1000 })
    .map((seconds) => seconds * 1000);
  const showsAs = (zone: string, local: string, expected: string, later?: boolean) =>
    expect(
      new Date(zones.toInstant(zone, utc(local), later)).toISOString().slice(0, 19),
      `${zone} ${local}`,
    ).to.equal(expected);

  it('`isKnown` returns whether a name is supported. Any other name makes the other methods throw', () => {
    for (const zone of ZONES) expect(zones.isKnown(zone), zone).to.equal(true);
    for (const none of ['', 'Europe/Atlantis', '+01:00', '-05', 'GMT+25', '__proto__', ' UTC']) {
      expect(zones.isKnown(none), none).to.equal(false);
      expect(() => zones.toLocal(none, 0), none).to.throw(RangeError);
      expect(() => zones.toInstant(none, 0), none).to.throw(RangeError);
    }
  });

  it('`toLocal` returns the local time of a zone at an instant, including offsets with seconds', () => {
    for (const [zone, instant, local] of [
      ['UTC', '2024-02-29T12:00:00', '2024-02-29T12:00:00'],
      ['Asia/Kolkata', '2024-02-29T20:00:00', '2024-03-01T01:30:00'],
      ['Europe/Berlin', '2024-03-31T00:59:59', '2024-03-31T01:59:59'],
      ['Europe/Berlin', '2024-03-31T01:00:00', '2024-03-31T03:00:00'],
      ['Europe/Berlin', '2024-10-27T00:59:59', '2024-10-27T02:59:59'],
      ['Europe/Berlin', '2024-10-27T01:00:00', '2024-10-27T02:00:00'],
      ['America/New_York', '2024-11-03T05:59:59', '2024-11-03T01:59:59'],
      ['America/New_York', '2024-11-03T06:00:00', '2024-11-03T01:00:00'],
      ['Australia/Lord_Howe', '2024-04-06T14:59:59', '2024-04-07T01:59:59'],
      ['Australia/Lord_Howe', '2024-04-06T15:00:00', '2024-04-07T01:30:00'],
      ['Pacific/Apia', '2011-12-30T09:59:59', '2011-12-29T23:59:59'],
      ['Pacific/Apia', '2011-12-30T10:00:00', '2011-12-31T00:00:00'],
      ['Africa/Monrovia', '1960-01-01T00:44:30', '1960-01-01T00:00:00'],
      ['Africa/Monrovia', '1972-01-07T00:44:30', '1972-01-07T00:44:30'],
    ] as const)
      expect(shown(zones.toLocal(zone, utc(instant))), `${zone} ${instant}`).to.equal(local);
  });

  it('`toInstant` is the inverse: `toLocal` of the result is the given local time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), moment, fc.boolean(), (zone, instant, later) => {
        const local = zones.toLocal(zone, instant);
        const back = zones.toInstant(zone, local, later);
        expect(zones.toLocal(zone, back)).to.equal(local);
        expect(Math.abs(back - instant)).to.be.oneOf([0, HOUR, HOUR / 2]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('A local time inside a gap is moved forward by the length of the gap', () => {
    for (const later of [false, true]) {
      showsAs('Europe/Berlin', '2024-03-31T02:00:00', '2024-03-31T01:00:00', later);
      showsAs('Europe/Berlin', '2024-03-31T02:30:00', '2024-03-31T01:30:00', later);
      showsAs('America/New_York', '2007-03-11T02:30:00', '2007-03-11T07:30:00', later);
      showsAs('Australia/Lord_Howe', '2024-10-06T02:15:00', '2024-10-05T15:45:00', later);
      showsAs('Pacific/Apia', '2011-12-30T09:00:00', '2011-12-30T19:00:00', later);
      showsAs('Africa/Monrovia', '1972-01-07T00:30:00', '1972-01-07T01:14:30', later);
    }
  });

  it('An ambiguous local time is the first instant, or the second with `later`', () => {
    for (const [zone, local, first, second] of [
      ['Europe/Berlin', '2024-10-27T02:30:00', '2024-10-27T00:30:00', '2024-10-27T01:30:00'],
      ['America/New_York', '2024-11-03T01:00:00', '2024-11-03T05:00:00', '2024-11-03T06:00:00'],
      ['Australia/Lord_Howe', '2024-04-07T01:45:00', '2024-04-06T14:45:00', '2024-04-06T15:15:00'],
      ['Europe/Berlin', '2024-10-27T03:00:00', '2024-10-27T02:00:00', '2024-10-27T02:00:00'],
    ] as const) {
      showsAs(zone, local, first);
      showsAs(zone, local, first, false);
      showsAs(zone, local, second, true);
    }
  });

  it('`version` identifies the rules in use. It changes when they may have changed', () => {
    expect(zones.version()).to.be.a('string').and.not.equal('');
    expect(open().version()).to.equal(zones.version());
  });
}

import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DAY = 86_400_000;
const EMOJI = '\u{1F4C5}';

interface Item {
  readonly event_id: string;
  readonly number: number;
  readonly title: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly original_start: string;
  readonly overridden: boolean;
  readonly recurring: boolean;
  readonly status: string;
}
interface RfcCase {
  readonly id: string;
  readonly dtstart: string;
  readonly tz: string;
  readonly rrule: string;
  readonly exdates: readonly string[];
  readonly complete: boolean;
  readonly window_from: string;
  readonly window_to: string;
  readonly expected: readonly string[];
}

const SAMPLES = new URL('../samples/rfc5545.json', import.meta.url);
const cases = JSON.parse(await readFile(SAMPLES, 'utf8')) as readonly RfcCase[];

/** Nine in the morning in Berlin, for an hour. */
const MEETING = {
  title: 'Meeting',
  starts_at: '2026-01-05T09:00',
  ends_at: '2026-01-05T10:00',
  tz: 'Europe/Berlin',
};
const DAILY = { ...MEETING, rrule: 'FREQ=DAILY' };

for (const profile of profiles)
  describe(`${profile}: calendar`, function () {
    this.timeout(120_000);
    let service: Service;
    before(async () => {
      service = await startService(profile);
      await service.cli('tenant', 'create', 'calendars');
    });
    after(() => service.dispose());

    /** An owner, and the requests made as that owner. */
    async function owner(settings?: object) {
      const { token, id } = await service.newOwner(undefined, 'calendars');
      const call = (
        method: string,
        path: string,
        body?: unknown,
        headers: Readonly<Record<string, string>> = {},
      ): Promise<Answer> =>
        service.call(method, `/v1${path}`, {
          token,
          headers,
          ...(body !== undefined && { body }),
        });
      if (settings) await call('PUT', '/settings', settings);
      const create = async (body: object): Promise<Answer['json']> => {
        const { status, json } = await call('POST', '/calendar/events', body);
        expect(status, JSON.stringify(json)).to.equal(200);
        return json;
      };
      const agenda = async (from: string, to: string, more = ''): Promise<readonly Item[]> => {
        const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}${more}`;
        const { status, json } = await call('GET', `/calendar/agenda?${query}`);
        expect(status, JSON.stringify(json)).to.equal(200);
        return json.items;
      };
      const starts = async (from: string, to: string, more = '') =>
        (await agenda(from, to, more)).map(({ starts_at: at }) => at);
      const change = (event: string, at: string, body: object) =>
        call('PUT', `/calendar/events/${event}/occurrences/${encodeURIComponent(at)}`, body);
      const leaveOut = (event: string, at: string) =>
        call('DELETE', `/calendar/events/${event}/occurrences/${encodeURIComponent(at)}`);
      const patch = (event: string, body: object) =>
        call('PATCH', `/calendar/events/${event}`, body);
      const split = (event: string, body: object) =>
        call('POST', `/calendar/events/${event}/split`, body);
      return { id, token, call, create, agenda, starts, change, leaveOut, patch, split };
    }

    const faultOf = ({ status, json }: Answer) => [
      status,
      json.detail[0].loc.join('.'),
      json.detail[0].type,
    ];

    describe('creation', () => {
      it('returns every field with its default', async () => {
        const { create, call } = await owner();
        const event = await create({
          title: 'Dentist',
          starts_at: '2026-03-01T08:00:00Z',
          ends_at: '2026-03-01T09:00:00+01:00',
        });
        expect(event.id).to.match(UUID);
        const { id } = event;
        expect(event).to.deep.equal({
          id,
          number: 1,
          title: 'Dentist',
          starts_at: '2026-03-01T08:00:00.000Z',
          ends_at: '2026-03-01T08:00:00.000Z',
          tz: 'UTC',
          all_day: false,
          description: '',
          location: '',
          rrule: '',
          recurrence_label: '',
          reminders: [],
          status: 'confirmed',
        });
        expect((await call('GET', `/calendar/events/${id}`)).json).to.deep.equal(event);
        const all = {
          title: 'Weekly',
          starts_at: '2026-01-05T09:00:00.000Z',
          ends_at: '2026-01-05T10:30:00.000Z',
          tz: 'Asia/Tokyo',
          all_day: false,
          description: 'Two\nlines, ж; and \\ more',
          location: 'Room 1',
          rrule: 'FREQ=WEEKLY;BYDAY=MO,WE',
          reminders: [10, 0, 40_320],
          status: 'tentative',
        };
        const weekly = await create(all);
        expect(weekly).to.deep.include({ ...all, number: 2 });
        expect(weekly.recurrence_label).to.equal('Every week on Monday and Wednesday');
        expect(Object.keys(weekly)).to.deep.equal(Object.keys(event));
      });

      it('treats null as absent, and ignores unknown fields', async () => {
        const { create } = await owner();
        const event = await create({
          ...MEETING,
          all_day: null,
          description: null,
          location: null,
          rrule: null,
          reminders: null,
          status: null,
          number: 77,
          id: MISSING,
        });
        expect([event.number, event.status, event.rrule, event.id === MISSING]).to.deep.equal([
          1,
          'confirmed',
          '',
          false,
        ]);
      });

      it('enforces every limit, in code points', async () => {
        const { call, create } = await owner();
        const refused = async (body: object) =>
          faultOf(await call('POST', '/calendar/events', { ...MEETING, ...body }));
        for (const [body, loc, type] of [
          [{ title: '' }, 'title', 'string_too_short'],
          [{ title: '   ' }, 'title', 'string_too_short'],
          [{ title: EMOJI.repeat(501) }, 'title', 'string_too_long'],
          [{ title: 5 }, 'title', 'string_type'],
          [{ title: 'a\0b' }, 'title', 'value_error'],
          [{ description: '\ud800' }, 'description', 'value_error'],
          [{ location: 'x\0' }, 'location', 'value_error'],
          [{ description: 'x'.repeat(20_001) }, 'description', 'string_too_long'],
          [{ location: EMOJI.repeat(1_001) }, 'location', 'string_too_long'],
          [{ starts_at: 'soon' }, 'starts_at', 'datetime_from_date_parsing'],
          [{ starts_at: '2026-02-30T10:00' }, 'starts_at', 'datetime_from_date_parsing'],
          [{ starts_at: 5 }, 'starts_at', 'datetime_type'],
          [{ ends_at: true }, 'ends_at', 'datetime_type'],
          [{ tz: 'Mars/Olympus' }, 'tz', 'value_error'],
          [{ tz: '+02:00' }, 'tz', 'value_error'],
          [{ tz: '' }, 'tz', 'string_too_short'],
          [{ all_day: 'yes' }, 'all_day', 'bool_type'],
          [{ reminders: 5 }, 'reminders', 'list_type'],
          [{ reminders: [-1] }, 'reminders.0', 'greater_than_equal'],
          [{ reminders: [0, 40_321] }, 'reminders.1', 'less_than_equal'],
          [{ reminders: [1.5] }, 'reminders.0', 'int_from_float'],
          [{ reminders: ['5'] }, 'reminders.0', 'int_type'],
          [{ reminders: [5, 5] }, 'reminders', 'value_error'],
          [{ reminders: [...Array(11).keys()] }, 'reminders', 'too_long'],
          [{ status: 'maybe' }, 'status', 'literal_error'],
          [{ rrule: 7 }, 'rrule', 'string_type'],
        ] as const)
          expect(await refused(body), JSON.stringify(body).slice(0, 80)).to.deep.equal([
            422,
            `body.${loc}`,
            type,
          ]);
        await create({
          ...MEETING,
          title: EMOJI.repeat(500),
          description: EMOJI.repeat(20_000),
          location: EMOJI.repeat(1_000),
          reminders: [...Array(10).keys()].map((n) => n * 4_480),
        });
        expect(
          (await create({ ...MEETING, title: ' x ', reminders: [50.0] })).reminders,
        ).to.deep.equal([50]);
        const { json } = await call('POST', '/calendar/events', {});
        expect(json.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).to.deep.equal([
          'body.title',
          'body.starts_at',
          'body.ends_at',
        ]);
        const many = await call('POST', '/calendar/events', {
          ...MEETING,
          title: '',
          tz: 'x y',
          rrule: 'FREQ=SECONDLY',
        });
        expect(many.json.detail.map(({ loc }: { loc: string[] }) => loc[1])).to.have.members([
          'title',
          'tz',
          'rrule',
        ]);
      });

      it("reads local times in tz, else in the owner's zone, and times with an offset exactly", async () => {
        const { create } = await owner({ timezone: 'America/New_York' });
        const at = async (body: object) => {
          const { starts_at: from, ends_at: to, tz } = await create({ title: 'x', ...body });
          return [from, to, tz];
        };
        expect(
          await at({ starts_at: '2026-07-01T09:00', ends_at: '2026-07-01 10:00:30' }),
        ).to.deep.equal([
          '2026-07-01T13:00:00.000Z',
          '2026-07-01T14:00:30.000Z',
          'America/New_York',
        ]);
        expect(
          await at({
            starts_at: '2026-07-01T09:00',
            ends_at: '2026-07-01T09:00:00Z',
            tz: 'Europe/Berlin',
          }),
        ).to.deep.equal(['2026-07-01T07:00:00.000Z', '2026-07-01T09:00:00.000Z', 'Europe/Berlin']);
        expect(
          await at({ starts_at: '2026-07-01T09:00+05:30', ends_at: '2026-07-01T09:00-05:30' }),
        ).to.deep.equal([
          '2026-07-01T03:30:00.000Z',
          '2026-07-01T14:30:00.000Z',
          'America/New_York',
        ]);
        // Half past two does not exist on this night, and exists twice on the other.
        expect(
          await at({ starts_at: '2026-03-08T02:30', ends_at: '2026-03-08T03:30' }),
        ).to.deep.equal([
          '2026-03-08T07:30:00.000Z',
          '2026-03-08T07:30:00.000Z',
          'America/New_York',
        ]);
        expect(
          await at({ starts_at: '2026-11-01T01:30', ends_at: '2026-11-01T01:30:00-05:00' }),
        ).to.deep.equal([
          '2026-11-01T05:30:00.000Z',
          '2026-11-01T06:30:00.000Z',
          'America/New_York',
        ]);
        expect(
          await at({ starts_at: '2026-11-01T06:30:00Z', ends_at: '2026-11-01T07:00:00Z' }),
        ).to.deep.equal([
          '2026-11-01T06:30:00.000Z',
          '2026-11-01T07:00:00.000Z',
          'America/New_York',
        ]);
      });

      it('makes an all-day event begin and end at local midnights', async () => {
        const { create } = await owner({ timezone: 'Europe/Berlin' });
        const days = async (starts_at: string, ends_at: string, more = {}) => {
          const it = await create({ title: 'x', starts_at, ends_at, all_day: true, ...more });
          return [it.starts_at, it.ends_at, it.all_day];
        };
        const fifth = ['2026-01-04T23:00:00.000Z', '2026-01-05T23:00:00.000Z', true];
        expect(await days('2026-01-05', '2026-01-06')).to.deep.equal(fifth);
        expect(await days('2026-01-05', '2026-01-05')).to.deep.equal(fifth);
        expect(await days('2026-01-05T10:00', '2026-01-05T12:00')).to.deep.equal(fifth);
        expect(await days('2026-01-04T23:30:00Z', '2026-01-05T23:00:00Z')).to.deep.equal(fifth);
        expect(await days('2026-01-05', '2026-01-07T00:01')).to.deep.equal([
          '2026-01-04T23:00:00.000Z',
          '2026-01-07T23:00:00.000Z',
          true,
        ]);
        // The day of the clock change has 23 hours.
        expect(await days('2026-03-29', '2026-03-30')).to.deep.equal([
          '2026-03-28T23:00:00.000Z',
          '2026-03-29T22:00:00.000Z',
          true,
        ]);
      });

      it('rejects an end before the start, and years out of range', async () => {
        const { call, create } = await owner();
        const refused = async (starts_at: string, ends_at: string, more = {}) =>
          faultOf(
            await call('POST', '/calendar/events', { title: 'x', starts_at, ends_at, ...more }),
          );
        const ends = [422, 'body.ends_at', 'value_error'];
        const starts = [422, 'body.starts_at', 'value_error'];
        expect(await refused('2026-01-05T10:00', '2026-01-05T09:59:59')).to.deep.equal(ends);
        expect(await refused('2026-01-05', '2026-01-04', { all_day: true })).to.deep.equal(ends);
        expect(await refused('2026-01-05T10:00+01:00', '2026-01-05T09:30+02:00')).to.deep.equal(
          ends,
        );
        expect(await refused('1899-12-31T23:59', '1900-01-01T10:00')).to.deep.equal(starts);
        expect(await refused('2201-01-01T00:00', '2201-01-01T10:00')).to.deep.equal(starts);
        expect(await refused('2200-12-31T23:00', '2201-01-01T10:00')).to.deep.equal(ends);
        expect(await refused('9999-12-31T23:59', '9999-12-31T23:59')).to.deep.equal(starts);
        expect(await refused('0001-01-01T00:00+14:00', '0001-01-01T00:00')).to.deep.equal(starts);
        for (const [starts_at, ends_at] of [
          ['1900-01-01T00:00', '1900-01-01T00:00'],
          ['2200-12-31T23:00', '2200-12-31T23:59:59'],
        ])
          await create({ title: 'x', starts_at, ends_at });
        const last = await create({
          title: 'x',
          starts_at: '2200-12-31',
          ends_at: '2201-01-01',
          all_day: true,
        });
        expect(last.ends_at).to.equal('2201-01-01T00:00:00.000Z');
      });

      it('rejects rules and names the invalid part', async () => {
        const { call } = await owner();
        const dense = (n: number) => [...Array(n).keys()].join(',');
        for (const [rrule, named] of [
          ['FREQ=SECONDLY', 'SECONDLY'],
          ['FREQ=MINUTELY', 'MINUTELY'],
          ['FREQ=SOMETIMES', 'FREQ'],
          ['INTERVAL=2', 'FREQ'],
          [' ', 'FREQ'],
          ['RRULE:FREQ=DAILY', 'RRULE'],
          ['FREQ=DAILY;COLOUR=RED', 'COLOUR'],
          ['FREQ=DAILY;X-THING=1', 'X-THING'],
          ['FREQ=DAILY;INTERVAL=2;INTERVAL=2', 'INTERVAL'],
          ['FREQ=DAILY;FREQ=DAILY', 'FREQ'],
          ['FREQ=DAILY;COUNT=2;UNTIL=20270101', 'COUNT'],
          ['FREQ=DAILY;COUNT=0', 'COUNT'],
          ['FREQ=DAILY;COUNT=-1', 'COUNT'],
          ['FREQ=DAILY;COUNT=10001', 'COUNT'],
          ['FREQ=DAILY;COUNT=1000000000', 'COUNT'],
          ['FREQ=DAILY;INTERVAL=0', 'INTERVAL'],
          ['FREQ=DAILY;INTERVAL=10001', 'INTERVAL'],
          ['FREQ=DAILY;INTERVAL=1.5', 'INTERVAL'],
          ['FREQ=DAILY;UNTIL=tomorrow', 'UNTIL'],
          ['FREQ=DAILY;UNTIL=20260230', 'UNTIL'],
          ['FREQ=DAILY;BYWEEKNO=1', 'BYWEEKNO'],
          ['FREQ=MONTHLY;BYWEEKNO=1', 'BYWEEKNO'],
          ['FREQ=DAILY;BYYEARDAY=1', 'BYYEARDAY'],
          ['FREQ=WEEKLY;BYYEARDAY=1', 'BYYEARDAY'],
          ['FREQ=MONTHLY;BYYEARDAY=1', 'BYYEARDAY'],
          ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY'],
          ['FREQ=WEEKLY;BYDAY=1MO', 'BYDAY'],
          ['FREQ=DAILY;BYDAY=-1MO', 'BYDAY'],
          ['FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO', 'BYDAY'],
          ['FREQ=MONTHLY;BYDAY=XX', 'BYDAY'],
          ['FREQ=MONTHLY;BYDAY=0MO', 'BYDAY'],
          ['FREQ=MONTHLY;BYDAY=54MO', 'BYDAY'],
          ['FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY'],
          ['FREQ=MONTHLY;BYMONTHDAY=32', 'BYMONTHDAY'],
          ['FREQ=YEARLY;BYMONTH=13', 'BYMONTH'],
          ['FREQ=YEARLY;BYMONTH=', 'BYMONTH'],
          ['FREQ=YEARLY;BYYEARDAY=367', 'BYYEARDAY'],
          ['FREQ=YEARLY;BYWEEKNO=54', 'BYWEEKNO'],
          ['FREQ=DAILY;BYHOUR=24', 'BYHOUR'],
          ['FREQ=DAILY;BYMINUTE=60', 'BYMINUTE'],
          ['FREQ=MONTHLY;BYSETPOS=1', 'BYSETPOS'],
          ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0', 'BYSETPOS'],
          ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367', 'BYSETPOS'],
          ['FREQ=WEEKLY;WKST=XX', 'WKST'],
          [`FREQ=DAILY;BYHOUR=${dense(24)};BYMINUTE=${dense(5)}`, 'BYMINUTE'],
          [`FREQ=HOURLY;BYMINUTE=${dense(5)}`, 'BYMINUTE'],
          [`FREQ=DAILY;BYHOUR=${'1,'.repeat(241)}1`, '500'],
          ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'never'],
          ['FREQ=MONTHLY;INTERVAL=12;BYMONTH=3', 'never'],
          ['FREQ=DAILY;UNTIL=20251231', 'never'],
        ] as const) {
          const answer = await call('POST', '/calendar/events', { ...MEETING, rrule });
          expect(faultOf(answer), rrule).to.deep.equal([422, 'body.rrule', 'value_error']);
          expect(answer.json.detail[0].msg, rrule).to.match(/^Value error, .+/);
          expect(answer.json.detail[0].msg, rrule).to.include(named);
        }
        const within = [
          `FREQ=DAILY;BYHOUR=${dense(24)};BYMINUTE=0,15,30,45`,
          'FREQ=DAILY;INTERVAL=10000;COUNT=10000',
          'freq=weekly;byday=mo',
          `FREQ=DAILY;BYHOUR=${'1,'.repeat(240)}10`,
        ];
        for (const rrule of within)
          expect(
            (await call('POST', '/calendar/events', { ...MEETING, rrule })).status,
            rrule,
          ).to.equal(200);
      });

      it('describes rules in English', async () => {
        const { create } = await owner();
        for (const [rrule, label] of [
          ['FREQ=DAILY', 'Every day'],
          ['FREQ=DAILY;INTERVAL=3;COUNT=10', 'Every 3 days, 10 times'],
          ['FREQ=WEEKLY', 'Every week on Monday'],
          ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
          ['FREQ=MONTHLY', 'On the 5th of every month'],
          ['FREQ=YEARLY', 'Every year on 5 January'],
        ])
          expect((await create({ ...MEETING, rrule })).recurrence_label, rrule).to.equal(label);
      });

      it('moves a start that does not match its rule to the first match', async () => {
        const { create, starts } = await owner();
        const moved = await create({ ...MEETING, rrule: 'FREQ=WEEKLY;BYDAY=WE;COUNT=2' });
        expect([moved.starts_at, moved.ends_at]).to.deep.equal([
          '2026-01-07T08:00:00.000Z',
          '2026-01-07T09:00:00.000Z',
        ]);
        expect(await starts('2026-01-01', '2026-02-01')).to.deep.equal([
          '2026-01-07T08:00:00.000Z',
          '2026-01-14T08:00:00.000Z',
        ]);
      });

      it('follows common conventions where the RFC is unspecific', async () => {
        const firsts = async (body: object, count = 3) => {
          const { create, starts } = await owner();
          await create({ ...MEETING, tz: 'UTC', ...body });
          return (await starts('2026-01-01', '2027-01-31')).slice(0, count);
        };
        expect(await firsts({ rrule: 'FREQ=YEARLY;BYWEEKNO=3,4' })).to.deep.equal([
          '2026-01-12T09:00:00.000Z',
          '2026-01-19T09:00:00.000Z',
          '2027-01-18T09:00:00.000Z',
        ]);
        expect(await firsts({ rrule: 'FREQ=YEARLY;BYMONTHDAY=5' })).to.deep.equal([
          '2026-01-05T09:00:00.000Z',
          '2026-02-05T09:00:00.000Z',
          '2026-03-05T09:00:00.000Z',
        ]);
        expect(
          await firsts({
            starts_at: '2026-01-05',
            ends_at: '2026-01-06',
            all_day: true,
            rrule: 'FREQ=DAILY;BYHOUR=9,10;BYMINUTE=30',
          }),
        ).to.deep.equal([
          '2026-01-05T00:00:00.000Z',
          '2026-01-06T00:00:00.000Z',
          '2026-01-07T00:00:00.000Z',
        ]);
        expect(
          await firsts(
            {
              tz: 'Europe/Berlin',
              starts_at: '2026-03-28T23:00',
              ends_at: '2026-03-28T23:10',
              rrule: 'FREQ=HOURLY;INTERVAL=3;COUNT=4',
            },
            9,
          ),
        ).to.deep.equal([
          '2026-03-28T22:00:00.000Z',
          '2026-03-29T01:00:00.000Z',
          '2026-03-29T03:00:00.000Z',
          '2026-03-29T06:00:00.000Z',
        ]);
      });

      it('numbers events 1, 2, 3 … per owner without reuse, also concurrently', async () => {
        const [mine, theirs] = [await owner(), await owner()];
        const created = await Promise.all(
          Array.from({ length: 20 }, () => mine.call('POST', '/calendar/events', MEETING)),
        );
        for (const { status } of created) expect(status).to.equal(200);
        expect(created.map(({ json }) => json.number).sort((a, b) => a - b)).to.deep.equal(
          Array.from({ length: 20 }, (_, i) => i + 1),
        );
        for (const { json } of created) await mine.call('DELETE', `/calendar/events/${json.id}`);
        expect((await mine.create(MEETING)).number).to.equal(21);
        expect((await theirs.create(MEETING)).number).to.equal(1);
      });

      it('is applied once per idempotency key, and so are splits and feed URLs', async () => {
        const { call, create } = await owner();
        const keyed = (key: string, path: string, body?: object) =>
          call('POST', path, body, { 'idempotency-key': key });
        const [first, again] = [
          await keyed('a', '/calendar/events', MEETING),
          await keyed('a', '/calendar/events', MEETING),
        ];
        expect([again.status, again.json]).to.deep.equal([200, first.json]);
        const other = await keyed('a', '/calendar/events', DAILY);
        expect([other.status, other.json.code]).to.deep.equal([409, 'idempotency_key_reused']);
        const { id } = await create(DAILY);
        const cut = { from: '2026-01-08T09:00', title: 'Later' };
        const split = await keyed('b', `/calendar/events/${id}/split`, cut);
        expect((await keyed('b', `/calendar/events/${id}/split`, cut)).json).to.deep.equal(
          split.json,
        );
        expect((await call('GET', '/calendar/events')).json.total).to.equal(3);
        const feed = await keyed('c', '/calendar/feed');
        expect((await keyed('c', '/calendar/feed')).json).to.deep.equal(feed.json);
      });
    });

    describe('events', () => {
      it('are listed unexpanded, newest first, searched and paged', async () => {
        const { call, create } = await owner();
        for (const [title, description, location] of [
          ['Board meeting', '', 'Room 100%'],
          ['Dentist', 'Bring the Ж card', ''],
          ['Swim', '', 'Board walk'],
        ])
          await create({ ...DAILY, title, description, location });
        const list = async (query = '') => {
          const { json } = await call('GET', `/calendar/events${query}`);
          return [json.items.map(({ title }: Item) => title), json.total];
        };
        expect(await list()).to.deep.equal([['Swim', 'Dentist', 'Board meeting'], 3]);
        expect(await list('?limit=1&offset=1')).to.deep.equal([['Dentist'], 3]);
        expect(await list('?offset=9')).to.deep.equal([[], 3]);
        expect(await list('?q=BOARD')).to.deep.equal([['Swim', 'Board meeting'], 2]);
        expect(await list(`?q=${encodeURIComponent(' ж CARD ')}`)).to.deep.equal([['Dentist'], 1]);
        expect(await list('?q=%25')).to.deep.equal([['Board meeting'], 1]);
        expect(await list('?q=_')).to.deep.equal([[], 0]);
        expect(await list('?q=')).to.deep.equal([['Swim', 'Dentist', 'Board meeting'], 3]);
        for (const query of ['limit=0', 'limit=101', 'limit=', 'offset=-1'])
          expect((await call('GET', `/calendar/events?${query}`)).status, query).to.equal(422);
      });

      it('change the given fields', async () => {
        const { create, patch, call } = await owner();
        const event = await create({ ...DAILY, description: 'kept', reminders: [5] });
        const { status, json } = await patch(event.id, {
          title: 'Other',
          location: 'Here',
          description: null,
          reminders: [],
          status: 'cancelled',
        });
        expect([status, json]).to.deep.equal([
          200,
          { ...event, title: 'Other', location: 'Here', reminders: [], status: 'cancelled' },
        ]);
        expect((await patch(event.id, {})).json).to.deep.equal(json);
        expect((await patch(event.id, { description: '' })).json.description).to.equal('');
        expect((await call('GET', `/calendar/events/${event.id}`)).json.title).to.equal('Other');
      });

      it('read a local start in their own zone, and move the end as well', async () => {
        const { create, patch } = await owner({ timezone: 'Asia/Tokyo' });
        const { id } = await create(MEETING);
        const times = async (body: object) => {
          const { json, status } = await patch(id, body);
          return [status, json.starts_at, json.ends_at, json.tz];
        };
        expect(await times({ starts_at: '2026-07-01T12:00' })).to.deep.equal([
          200,
          '2026-07-01T10:00:00.000Z',
          '2026-07-01T11:00:00.000Z',
          'Europe/Berlin',
        ]);
        expect(await times({ ends_at: '2026-07-01T14:00' })).to.deep.equal([
          200,
          '2026-07-01T10:00:00.000Z',
          '2026-07-01T12:00:00.000Z',
          'Europe/Berlin',
        ]);
        expect(await times({ tz: 'America/New_York' })).to.deep.equal([
          200,
          '2026-07-01T16:00:00.000Z',
          '2026-07-01T18:00:00.000Z',
          'America/New_York',
        ]);
        const bad = await patch(id, { ends_at: '2026-06-01T00:00' });
        expect(faultOf(bad)).to.deep.equal([422, 'body.ends_at', 'value_error']);
        expect(
          await times({ tz: 'UTC', starts_at: '2026-07-01T12:00', ends_at: '2026-07-01T12:00' }),
        ).to.deep.equal([200, '2026-07-01T12:00:00.000Z', '2026-07-01T12:00:00.000Z', 'UTC']);
      });

      it('change between all-day and timed, and between single and series', async () => {
        const { create, patch, starts } = await owner();
        const { id } = await create(MEETING);
        const day = (await patch(id, { all_day: true })).json;
        expect([day.starts_at, day.ends_at]).to.deep.equal([
          '2026-01-04T23:00:00.000Z',
          '2026-01-05T23:00:00.000Z',
        ]);
        const back = (
          await patch(id, {
            all_day: false,
            starts_at: '2026-01-05T09:00',
            ends_at: '2026-01-05T10:00',
          })
        ).json;
        expect([back.starts_at, back.ends_at]).to.deep.equal([
          '2026-01-05T08:00:00.000Z',
          '2026-01-05T09:00:00.000Z',
        ]);
        const series = (await patch(id, { rrule: 'FREQ=DAILY;COUNT=3' })).json;
        expect([series.rrule, series.recurrence_label]).to.deep.equal([
          'FREQ=DAILY;COUNT=3',
          'Every day, 3 times',
        ]);
        expect(await starts('2026-01-01', '2026-02-01')).to.have.length(3);
        expect(faultOf(await patch(id, { rrule: 'FREQ=HOURLY;COUNT=0' }))[1]).to.equal(
          'body.rrule',
        );
        expect(
          faultOf(await patch(id, { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }))[1],
        ).to.equal('body.rrule');
        const single = (await patch(id, { rrule: '' })).json;
        expect([single.rrule, single.recurrence_label]).to.deep.equal(['', '']);
        expect(await starts('2026-01-01', '2026-02-01')).to.deep.equal([
          '2026-01-05T08:00:00.000Z',
        ]);
      });

      it('apply fifty concurrent changes of two fields', async () => {
        const { create, patch, call } = await owner();
        const { id } = await create(DAILY);
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            patch(id, i % 2 ? { title: `t${i}` } : { location: `l${i}` }),
          ),
        );
        for (const { status } of answers) expect(status).to.equal(200);
        const { json } = await call('GET', `/calendar/events/${id}`);
        expect(json.title).to.match(/^t/);
        expect(json.location).to.match(/^l/);
      });

      it('are deleted with all their occurrences', async () => {
        const { create, call, agenda } = await owner();
        const { id } = await create(DAILY);
        const gone = await call('DELETE', `/calendar/events/${id}`);
        expect([gone.status, gone.json]).to.deep.equal([200, { deleted: true }]);
        expect((await call('DELETE', `/calendar/events/${id}`)).status).to.equal(404);
        expect((await call('GET', `/calendar/events/${id}`)).status).to.equal(404);
        expect(await agenda('2026-01-01', '2026-02-01')).to.deep.equal([]);
      });

      it('of another owner are indistinguishable from missing ones, and cannot be changed with a read-only token', async () => {
        const [mine, theirs] = [await owner(), await owner()];
        const { id } = await mine.create(DAILY);
        const before = (await mine.call('GET', `/calendar/events/${id}`)).json;
        const at = '/occurrences/2026-01-06T08:00:00Z';
        const requests = [
          ['GET', '', undefined],
          ['PATCH', '', { title: 'stolen' }],
          ['DELETE', '', undefined],
          ['PUT', at, { title: 'stolen' }],
          ['DELETE', at, undefined],
          ['POST', '/split', { from: '2026-01-06T08:00:00Z', title: 'stolen' }],
        ] as const;
        const { secret } = await readOnly(mine);
        for (const [method, path, body] of requests) {
          const foreign = await theirs.call(method, `/calendar/events/${id}${path}`, body);
          const missing = await theirs.call(method, `/calendar/events/${MISSING}${path}`, body);
          expect([foreign.status, foreign.text], method + path).to.deep.equal([404, missing.text]);
          expect(missing.json.code).to.equal('not_found');
          const malformed = await theirs.call(method, `/calendar/events/x${path}`, body);
          expect(faultOf(malformed)).to.deep.equal([422, 'path.event_id', 'uuid_parsing']);
          const reader = await service.call(method, `/v1/calendar/events/${id}${path}`, {
            token: secret,
            ...(body && { body }),
          });
          expect(reader.status, method + path).to.equal(method === 'GET' ? 200 : 403);
        }
        const own = await service.call('POST', '/v1/calendar/events', {
          token: secret,
          body: DAILY,
        });
        expect([own.status, own.json.code]).to.deep.equal([403, 'forbidden']);
        expect((await mine.call('GET', `/calendar/events/${id}`)).json).to.deep.equal(before);
        expect(
          (await mine.agenda('2026-01-05', '2026-01-08')).map(({ title }) => title),
        ).to.deep.equal(['Meeting', 'Meeting', 'Meeting']);
        const spelt = id.toUpperCase().replaceAll('-', '');
        expect((await mine.call('GET', `/calendar/events/${spelt}`)).json).to.deep.equal(before);
      });

      async function readOnly({ id }: { id: string }): Promise<{ secret: string }> {
        const issued = await service.cli('token', 'issue', '--owner', id, '--access', 'read');
        return { secret: issued.token as string };
      }

      it('have an ETag, and get 304 until something changes', async () => {
        const { create, call, patch } = await owner();
        const { id } = await create(DAILY);
        const paths = [
          `/calendar/events/${id}`,
          '/calendar/events',
          '/calendar/agenda?from=2026-01-01&to=2026-02-01',
          '/calendar/export',
        ];
        const tags: string[] = [];
        for (const path of paths) {
          const etag = (await call('GET', path)).headers.get('etag') ?? '';
          expect(etag, path).to.match(/^(W\/)?"/);
          tags.push(etag);
          const same = await call('GET', path, undefined, { 'if-none-match': etag });
          expect([same.status, same.text], path).to.deep.equal([304, '']);
          const head = await call('HEAD', path);
          expect([head.status, head.headers.get('etag')], path).to.deep.equal([200, etag]);
        }
        await patch(id, { title: 'Other' });
        for (const [i, path] of paths.entries())
          expect(
            (await call('GET', path, undefined, { 'if-none-match': tags[i] ?? '' })).status,
            path,
          ).to.equal(200);
      });

      it('survive a restart', async () => {
        const { create, call, change } = await owner();
        const { id } = await create(DAILY);
        await change(id, '2026-01-06T09:00', { title: 'Other' });
        const path = '/calendar/agenda?from=2026-01-01&to=2026-02-01';
        const before = (await call('GET', path)).json;
        service = await service.restart('SIGKILL');
        expect((await call('GET', path)).json).to.deep.equal(before);
        expect((await call('POST', '/calendar/events', MEETING)).json.number).to.equal(2);
      });
    });

    describe('occurrences', () => {
      const WEEK = ['2026-01-05', '2026-01-10'] as const;

      it('are changed one at a time', async () => {
        const { create, change, agenda, call } = await owner();
        const event = await create({ ...DAILY, reminders: [5] });
        const { status, json } = await change(event.id, '2026-01-07T08:00:00Z', {
          title: 'Moved',
          starts_at: '2026-01-07T15:00',
          ends_at: '2026-01-07T17:00',
          location: 'Elsewhere',
          status: 'tentative',
        });
        const expected = {
          event_id: event.id,
          number: 1,
          title: 'Moved',
          description: '',
          location: 'Elsewhere',
          starts_at: '2026-01-07T14:00:00.000Z',
          ends_at: '2026-01-07T16:00:00.000Z',
          original_start: '2026-01-07T08:00:00.000Z',
          tz: 'Europe/Berlin',
          all_day: false,
          status: 'tentative',
          recurring: true,
          overridden: true,
        };
        expect([status, json]).to.deep.equal([200, expected]);
        const items = await agenda(...WEEK);
        expect(items).to.have.length(5);
        expect(items[2]).to.deep.equal(expected);
        expect(items.map(({ overridden }) => overridden)).to.deep.equal([
          false,
          false,
          true,
          false,
          false,
        ]);
        expect((await call('GET', `/calendar/events/${event.id}`)).json).to.deep.equal(event);
        const again = await change(event.id, '2026-01-07T08:00:00Z', { title: 'Again' });
        expect(again.json).to.deep.equal({ ...expected, title: 'Again' });
      });

      it('are identified by their start by the rule, in every spelling', async () => {
        const { create, change, leaveOut } = await owner({ timezone: 'Asia/Tokyo' });
        const { id } = await create({
          ...DAILY,
          starts_at: '2026-01-05T00:00',
          ends_at: '2026-01-05T01:00',
        });
        let n = 0;
        for (const at of [
          '2026-01-06T23:00:00.000Z',
          '2026-01-06T23:00:00Z',
          '2026-01-06t23:00z',
          '2026-01-07T00:00:00+01:00',
          '2026-01-06T18:00-0500',
          '2026-01-07T00:00:00',
          '2026-01-07T00:00',
          '2026-01-07',
        ]) {
          const { status, json } = await change(id, at, { title: `n${++n}` });
          expect([status, json.title, json.original_start], at).to.deep.equal([
            200,
            `n${n}`,
            '2026-01-06T23:00:00.000Z',
          ]);
        }
        for (const at of [
          '2026-01-06T23:00:01Z',
          '2026-01-06T23:00:00.001Z',
          '2026-01-06T22:00:00Z',
          '2026-01-03T23:00:00Z',
          '2026-01-07T00:00Z',
          '0001-01-01T00:00Z',
          '9999-12-31T00:00Z',
        ]) {
          const put = await change(id, at, { title: 'no' });
          expect([put.status, put.json.code], at).to.deep.equal([404, 'not_found']);
          expect((await leaveOut(id, at)).status, at).to.equal(404);
        }
        for (const at of ['x', '2026-13-01T00:00Z', '1767740400', '2026-01-06T25:00Z'])
          expect(faultOf(await change(id, at, { title: 'no' })), at).to.deep.equal([
            422,
            'path.original_start',
            'datetime_from_date_parsing',
          ]);
      });

      it('are excluded, and then missing', async () => {
        const { create, change, leaveOut, starts } = await owner();
        const { id } = await create(DAILY);
        await change(id, '2026-01-06T09:00', { title: 'Changed' });
        for (const at of ['2026-01-06T09:00', '2026-01-05T09:00']) {
          const { status, json } = await leaveOut(id, at);
          expect([status, json]).to.deep.equal([200, { deleted: true }]);
          expect((await leaveOut(id, at)).status).to.equal(404);
          expect((await change(id, at, { title: 'x' })).status).to.equal(404);
        }
        expect(await starts(...WEEK)).to.deep.equal([
          '2026-01-07T08:00:00.000Z',
          '2026-01-08T08:00:00.000Z',
          '2026-01-09T08:00:00.000Z',
        ]);
      });

      it('of a single event are the event', async () => {
        const { create, change, leaveOut, agenda, call } = await owner();
        const { id } = await create(MEETING);
        const { status, json } = await change(id, '2026-01-05T08:00:00Z', { title: 'Only' });
        expect([status, json.title, json.recurring, json.overridden]).to.deep.equal([
          200,
          'Only',
          false,
          false,
        ]);
        expect((await agenda(...WEEK))[0]).to.deep.equal(json);
        expect((await leaveOut(id, '2026-01-05T08:00:00Z')).status).to.equal(200);
        expect((await call('GET', `/calendar/events/${id}`)).status).to.equal(404);
      });

      it('are validated like events', async () => {
        const { create, change, agenda } = await owner();
        const { id } = await create(DAILY);
        const at = '2026-01-06T09:00';
        for (const [body, loc] of [
          [{ title: '' }, 'title'],
          [{ ends_at: '2026-01-06T08:59' }, 'ends_at'],
          [{ starts_at: '1800-01-01T00:00' }, 'starts_at'],
          [{ starts_at: '2026-01-06T11:00', ends_at: '2026-01-06T10:00' }, 'ends_at'],
          [{ reminders: [1, 1] }, 'reminders'],
          [{ tz: 'nowhere' }, 'tz'],
        ] as const)
          expect(faultOf(await change(id, at, body)).slice(0, 2)).to.deep.equal([
            422,
            `body.${loc}`,
          ]);
        expect((await change(id, at, { rrule: 'FREQ=nonsense' })).status).to.equal(200);
        expect((await agenda(...WEEK)).filter(({ title }) => title !== 'Meeting')).to.deep.equal(
          [],
        );
      });

      it('move into and out of a window, and past each other', async () => {
        const { create, change, agenda } = await owner({ timezone: 'Europe/Berlin' });
        const { id } = await create({ ...DAILY, rrule: 'FREQ=DAILY;COUNT=5' });
        await change(id, '2026-01-05T09:00', {
          starts_at: '2026-06-01T09:00',
          ends_at: '2026-06-01T10:00',
        });
        await change(id, '2026-01-09T09:00', {
          starts_at: '2020-06-01T09:00',
          ends_at: '2020-06-01T10:00',
        });
        await change(id, '2026-01-07T09:00', { starts_at: '2026-01-08T12:00' });
        const originals = async (from: string, to: string) =>
          (await agenda(from, to)).map(({ original_start: at }) => at.slice(0, 10));
        expect(await originals(...WEEK)).to.deep.equal(['2026-01-06', '2026-01-08', '2026-01-07']);
        expect(await originals('2026-06-01', '2026-06-02')).to.deep.equal(['2026-01-05']);
        expect(await originals('2020-06-01', '2020-06-02')).to.deep.equal(['2026-01-09']);
        const [moved] = await agenda('2026-01-08T12:00', '2026-01-08T13:00');
        expect(moved?.ends_at).to.equal('2026-01-08T12:00:00.000Z');
      });

      it('stay modified when the series changes', async () => {
        const { create, change, leaveOut, patch, agenda } = await owner();
        const { id } = await create(DAILY);
        await change(id, '2026-01-07T09:00', { title: 'Changed' });
        await leaveOut(id, '2026-01-06T09:00');
        await patch(id, { location: 'Everywhere', starts_at: '2026-01-05T11:00' });
        const items = await agenda(...WEEK);
        expect(items.map(({ title, starts_at: at }) => [title, at.slice(8, 16)])).to.deep.equal([
          ['Meeting', '05T10:00'],
          ['Changed', '07T10:00'],
          ['Meeting', '08T10:00'],
          ['Meeting', '09T10:00'],
        ]);
        for (const item of items)
          expect((item as unknown as { location: string }).location).to.equal('Everywhere');
      });
    });

    describe('split', () => {
      const all = ['2026-01-01', '2026-02-01'] as const;
      const reported = ({ title, starts_at: at }: Item) => `${title} ${at.slice(8, 13)}`;

      it('ends the series before an occurrence and begins another there', async () => {
        const { create, split, agenda, call } = await owner();
        const event = await create({ ...DAILY, rrule: 'FREQ=DAILY;COUNT=5', reminders: [7] });
        const { status, json } = await split(event.id, {
          from: '2026-01-07T08:00:00Z',
          title: 'New',
        });
        expect(status).to.equal(200);
        expect(json).to.deep.include({
          number: 2,
          title: 'New',
          starts_at: '2026-01-07T08:00:00.000Z',
          ends_at: '2026-01-07T09:00:00.000Z',
          tz: 'Europe/Berlin',
          reminders: [7],
          rrule: 'FREQ=DAILY;COUNT=3',
        });
        expect(json.id).not.to.equal(event.id);
        expect((await agenda(...all)).map(reported)).to.deep.equal([
          'Meeting 05T08',
          'Meeting 06T08',
          'New 07T08',
          'New 08T08',
          'New 09T08',
        ]);
        const before = (await call('GET', `/calendar/events/${event.id}`)).json;
        expect(before).to.deep.include({ title: 'Meeting', starts_at: event.starts_at, number: 1 });
        const zulu = await split(json.id, { from: '2026-01-09T08:00:00Z', title: 'Last' });
        expect(zulu.json.rrule).to.equal('FREQ=DAILY;COUNT=1');
        expect((await agenda(...all)).map(reported).at(-1)).to.equal('Last 09T08');
        expect(await agenda(...all)).to.have.length(5);
      });

      it('at the first occurrence changes the whole series', async () => {
        const { create, split, call } = await owner();
        const event = await create(DAILY);
        const { json } = await split(event.id, { from: event.starts_at, title: 'New' });
        expect(json).to.deep.equal({ ...event, title: 'New' });
        expect((await call('GET', '/calendar/events')).json.total).to.equal(1);
      });

      it('accepts its own start and rule', async () => {
        const { create, split, agenda } = await owner();
        const { id } = await create({ ...DAILY, rrule: 'FREQ=DAILY;UNTIL=20260110T080000Z' });
        const { json } = await split(id, {
          from: '2026-01-07T09:00',
          starts_at: '2026-01-07T20:00',
          rrule: 'FREQ=DAILY;INTERVAL=2;COUNT=2',
        });
        expect([json.starts_at, json.ends_at, json.rrule]).to.deep.equal([
          '2026-01-07T19:00:00.000Z',
          '2026-01-07T20:00:00.000Z',
          'FREQ=DAILY;INTERVAL=2;COUNT=2',
        ]);
        expect((await agenda(...all)).map(reported)).to.deep.equal([
          'Meeting 05T08',
          'Meeting 06T08',
          'Meeting 07T19',
          'Meeting 09T19',
        ]);
        const single = await split(json.id, { from: '2026-01-09T20:00', rrule: '' });
        expect(single.json.rrule).to.equal('');
        expect(await agenda(...all)).to.have.length(4);
      });

      it('carries over exceptions from there on', async () => {
        const { create, split, change, leaveOut, agenda } = await owner();
        const { id } = await create({ ...DAILY, rrule: 'FREQ=DAILY;COUNT=6' });
        await change(id, '2026-01-06T09:00', { title: 'Early' });
        await change(id, '2026-01-07T09:00', { title: 'At' });
        await change(id, '2026-01-09T09:00', { title: 'Late' });
        await leaveOut(id, '2026-01-08T09:00');
        const none = await split(id, { from: '2026-01-08T09:00', title: 'New' });
        expect([none.status, none.json.code]).to.deep.equal([404, 'not_found']);
        expect((await split(id, { from: '2026-01-07T09:00', title: 'New' })).status).to.equal(200);
        expect((await agenda(...all)).map(reported)).to.deep.equal([
          'Meeting 05T08',
          'Early 06T08',
          'At 07T08',
          'Late 09T08',
          'New 10T08',
        ]);
      });

      it('is rejected as a whole if a part is invalid', async () => {
        const { create, split, call, agenda } = await owner();
        const event = await create(DAILY);
        const before = await agenda(...all);
        const from = '2026-01-07T09:00';
        for (const [body, loc] of [
          [{}, 'from'],
          [{ from: 'x' }, 'from'],
          [{ from, ends_at: '2026-01-07T08:00' }, 'ends_at'],
          [{ from, rrule: 'FREQ=SECONDLY' }, 'rrule'],
          [{ from, rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'rrule'],
        ] as const)
          expect(faultOf(await split(event.id, body)).slice(0, 2)).to.deep.equal([
            422,
            `body.${loc}`,
          ]);
        expect((await split(event.id, { from: '2026-01-07T09:01' })).status).to.equal(404);
        expect(await agenda(...all)).to.deep.equal(before);
        expect((await call('GET', '/calendar/events')).json.items).to.deep.equal([event]);
      });
    });

    describe('agenda', () => {
      it('contains the events that overlap its half-open window, by start', async () => {
        const { create, agenda } = await owner();
        const event = (title: string, starts_at: string, ends_at: string) =>
          create({ title, starts_at, ends_at });
        await event('late', '2026-01-05T11:00', '2026-01-05T13:00');
        await event('ends at from', '2026-01-05T09:00', '2026-01-05T10:00');
        await event('starts at to', '2026-01-05T12:00', '2026-01-05T13:00');
        await event('over all', '2026-01-01T00:00', '2026-02-01T00:00');
        await event('inside', '2026-01-05T10:00', '2026-01-05T12:00');
        await event('no length at from', '2026-01-05T10:00', '2026-01-05T10:00');
        await event('no length inside', '2026-01-05T10:30', '2026-01-05T10:30');
        await event('no length at to', '2026-01-05T12:00', '2026-01-05T12:00');
        const titles = (items: readonly Item[]) => items.map(({ title }) => title);
        const items = await agenda('2026-01-05T10:00', '2026-01-05T12:00');
        expect(titles(items)).to.deep.equal([
          'over all',
          'inside',
          'no length at from',
          'no length inside',
          'late',
        ]);
        const { original_start: at, recurring, overridden } = items[1] ?? ({} as Item);
        expect([at, recurring, overridden]).to.deep.equal([
          '2026-01-05T10:00:00.000Z',
          false,
          false,
        ]);
      });

      it('returns the first events and counts all', async () => {
        const { create, call } = await owner();
        await create({ ...DAILY, tz: 'UTC' });
        const get = async (more: string) =>
          (await call('GET', `/calendar/agenda?from=2026-01-01&to=2026-12-31${more}`)).json;
        const two = await get('&limit=2');
        expect([two.items.length, two.total]).to.deep.equal([2, 360]);
        expect(two.items[0].starts_at).to.equal('2026-01-05T09:00:00.000Z');
        expect((await get('')).items).to.have.length(360);
        await create({ ...DAILY, tz: 'UTC' });
        const all = await get('');
        expect([all.items.length, all.total]).to.deep.equal([500, 720]);
        expect((await get('&limit=2000')).items).to.have.length(720);
      });

      it('rejects windows that are too long, reversed or missing', async () => {
        const { call } = await owner();
        const ask = (query: string) => call('GET', `/calendar/agenda?${query}`);
        for (const [query, loc, type] of [
          ['', 'query.from', 'missing'],
          ['from=2026-01-01', 'query.to', 'missing'],
          ['to=2026-01-01', 'query.from', 'missing'],
          ['from=&to=2026-01-01', 'query.from', 'datetime_from_date_parsing'],
          ['from=2026-01-02&to=2026-01-01', 'query.to', 'value_error'],
          ['from=2026-01-01&to=2027-02-05T00:00:00.001', 'query.to', 'value_error'],
          ['from=2026-01-01&to=2026-02-01&limit=0', 'query.limit', 'greater_than_equal'],
          ['from=2026-01-01&to=2026-02-01&limit=2001', 'query.limit', 'less_than_equal'],
          ['from=2026-01-01&to=2026-02-01&limit=x', 'query.limit', 'int_parsing'],
        ] as const)
          expect(faultOf(await ask(query)), query).to.deep.equal([422, loc, type]);
        expect((await ask('')).json.detail).to.have.length(2);
        for (const query of [
          'from=2026-01-01&to=2027-02-05',
          'from=2026-01-01&to=2026-01-01',
          'from=0001-01-01&to=0001-02-01',
          'from=9999-01-01&to=9999-02-01',
          'from=2026-01-01T00:00:00%2B01:00&to=2026-01-02T00:00Z&limit=1',
          'from=2026-01-01&to=2026-02-01&limit=2000',
        ])
          expect((await ask(query)).status, query).to.equal(200);
      });

      it("reads local times in the owner's zone", async () => {
        const { create, starts } = await owner({ timezone: 'America/New_York' });
        await create({ title: 'x', starts_at: '2026-07-01T23:30', ends_at: '2026-07-01T23:45' });
        expect(await starts('2026-07-01', '2026-07-02')).to.deep.equal([
          '2026-07-02T03:30:00.000Z',
        ]);
        expect(await starts('2026-07-01T00:00Z', '2026-07-02T00:00Z')).to.deep.equal([]);
        expect(await starts('2026-07-02T03:30:00Z', '2026-07-02T03:31:00Z')).to.have.length(1);
      });

      it('includes series at any distance, in local time', async () => {
        const { create, starts } = await owner();
        await create({ ...DAILY, starts_at: '1901-01-05T09:00', ends_at: '1901-01-05T10:00' });
        expect(await starts('1950-01-05', '1950-01-06')).to.deep.equal([
          '1950-01-05T08:00:00.000Z',
        ]);
        expect(await starts('2076-07-05', '2076-07-06')).to.deep.equal([
          '2076-07-05T07:00:00.000Z',
        ]);
        expect(await starts('2200-12-31', '2201-02-01')).to.have.length(1);
        expect(await starts('2026-03-28', '2026-03-30')).to.deep.equal([
          '2026-03-28T08:00:00.000Z',
          '2026-03-29T07:00:00.000Z',
        ]);
      });

      it('includes long occurrences that began before the window', async () => {
        const { create, starts } = await owner();
        await create({
          title: 'Retreat',
          starts_at: '2026-01-05',
          ends_at: '2026-02-04',
          all_day: true,
          rrule: 'FREQ=MONTHLY;BYMONTHDAY=5',
        });
        expect(await starts('2026-05-20', '2026-05-21')).to.deep.equal([
          '2026-05-05T00:00:00.000Z',
        ]);
        expect(await starts('2026-06-04', '2026-06-05')).to.deep.equal([]);
      });

      it('includes cancelled occurrences, marked as such', async () => {
        const { create, agenda, change } = await owner();
        const { id } = await create({ ...DAILY, rrule: 'FREQ=DAILY;COUNT=2' });
        await create({ ...MEETING, status: 'cancelled' });
        await change(id, '2026-01-06T09:00', { status: 'cancelled' });
        const items = await agenda('2026-01-01', '2026-02-01');
        expect(items.map(({ status }) => status)).to.deep.equal([
          'confirmed',
          'cancelled',
          'cancelled',
        ]);
      });

      it("contains only the owner's events", async () => {
        const [mine, theirs] = [await owner(), await owner()];
        await mine.create(DAILY);
        expect(await theirs.agenda('2026-01-01', '2026-02-01')).to.deep.equal([]);
        expect((await theirs.call('GET', '/calendar/events')).json).to.deep.equal({
          items: [],
          total: 0,
        });
      });
    });

    describe('rules of RFC 5545', () => {
      const local = (text: string) =>
        text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6');

      let shared: Awaited<ReturnType<typeof owner>>;
      before(async () => {
        shared = await owner();
      });

      for (const each of cases)
        it(`${each.id}: ${each.rrule}`, async () => {
          const { call, starts, leaveOut } = shared;
          const starts_at = local(each.dtstart);
          const { status, json } = await call('POST', '/calendar/events', {
            title: each.id,
            starts_at,
            ends_at: starts_at,
            tz: each.tz,
            rrule: each.rrule,
          });
          if (/FREQ=(SECONDLY|MINUTELY)/.test(each.rrule)) {
            expect(status).to.equal(422);
            return;
          }
          expect(status, JSON.stringify(json)).to.equal(200);
          // The start of one of them is no occurrence here: it is moved to the first.
          for (const at of each.exdates)
            expect((await leaveOut(json.id, local(at))).status, at).to.equal(
              each.id === 'rfc-30' ? 404 : 200,
            );
          const found: string[] = [];
          const [end, step] = [Date.parse(each.window_to), 400 * DAY];
          const latest = Date.parse(each.expected.at(-1) ?? '') + 1;
          const until = each.complete ? Math.min(end, latest + 5 * step) : latest;
          for (let from = Date.parse(starts_at) - DAY; from < until; from += step) {
            const to = Math.min(from + step, until);
            found.push(
              ...(await starts(
                new Date(from).toISOString(),
                new Date(to).toISOString(),
                '&limit=2000',
              )),
            );
          }
          expect(found.map((at) => at.replace('.000', ''))).to.deep.equal(each.expected);
          await call('DELETE', `/calendar/events/${json.id}`);
        });
    });

    it('remains responsive with worst-case rules', async () => {
      const { call } = await owner();
      const rules = [
        'FREQ=SECONDLY',
        'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
        'FREQ=YEARLY;INTERVAL=9999;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
        `FREQ=YEARLY;BYYEARDAY=${[...Array(100).keys()].map((n) => -n - 1).join(',')};BYSETPOS=366`,
        'FREQ=HOURLY;INTERVAL=9999;BYMONTHDAY=31;BYMONTH=12;BYHOUR=3',
        'FREQ=MONTHLY;INTERVAL=12;BYMONTH=3',
        'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31',
      ];
      const answers = await Promise.all(
        Array.from({ length: 70 }, (_, i) =>
          call('POST', '/calendar/events', { ...MEETING, rrule: rules[i % rules.length] }),
        ),
      );
      for (const { status } of answers) expect([200, 422]).to.include(status);
      const health = await eventually(
        () => service.call('GET', '/health', { token: null }),
        ({ status }) => status === 200,
      );
      expect(health.json).to.deep.equal({ status: 'ok' });
    });
  });
